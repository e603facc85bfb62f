//! Planning and reading whole folders.

mod damage;
mod planning;
mod streams;
mod support;
