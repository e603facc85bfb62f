//! The Cargo profile in the `repr` of objects: a build for tests is two to three times slower.

use messagegen_core::PROFILE;

/// Return the `repr` of an object of a class.
pub fn with_profile(class: &str) -> String {
    format!("<messagegen_native.{class}, profile {PROFILE}>")
}
