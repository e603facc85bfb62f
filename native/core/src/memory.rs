//! The allocator of both bindings.
//!
//! Batches of columns are allocated and freed at the same sizes. The system's allocator returns their pages and clears
//! them again, which took a third of the time of large messages. This allocator keeps them. AddressSanitizer needs its
//! own allocator.
#![cfg_attr(feature = "mimalloc", allow(unsafe_code))] // A function of a C library.

#[cfg(feature = "mimalloc")]
mod kept {
    use std::ffi::{c_int, c_long};

    #[global_allocator]
    static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

    /// `mi_option_purge_delay`: after this many milliseconds, freed memory goes back to the system.
    pub const PURGE_DELAY: (c_int, c_long) = (15, 1000);

    unsafe extern "C" {
        pub safe fn mi_option_set_default(option: c_int, value: c_long);
    }
}

/// Keep freed memory for a second. Each binding calls this when it is loaded.
pub fn keep_freed() {
    #[cfg(feature = "mimalloc")]
    kept::mi_option_set_default(kept::PURGE_DELAY.0, kept::PURGE_DELAY.1);
}
