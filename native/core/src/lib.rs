//! The engine that runs the plans of messagegen's generated messages. It is independent of Python and the JVM: their
//! bindings are separate crates.

pub mod arrow;
pub mod budget;
pub mod columns;
pub mod error;
pub mod limits;
pub mod logs;
pub mod memory;
pub mod outcome;
pub mod plan;
pub mod records;
pub mod walk;
pub mod wire;

pub use outcome::{Error, Outcome};
