//! The allocator of both bindings.
//!
//! Column batches are allocated and freed in the same sizes again and again. The system's allocator returns their pages
//! to the system, which clears them; this took a third of the time for large messages. This allocator keeps the pages.
//! AddressSanitizer needs its own allocator.
#![cfg_attr(feature = "mimalloc", allow(unsafe_code))] // A function of a C library.

#[cfg(feature = "mimalloc")]
mod kept {
    use std::ffi::{c_int, c_long};

    #[global_allocator]
    static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

    /// `mi_option_purge_delay`: the number of the option, and the milliseconds after which freed memory goes back to
    /// the system.
    pub const PURGE_DELAY: (c_int, c_long) = (15, 1000);

    unsafe extern "C" {
        pub safe fn mi_option_set_default(option: c_int, value: c_long);
    }
}

/// Keep freed memory for a second. Each binding calls this function when it is loaded.
pub fn keep_freed() {
    #[cfg(feature = "mimalloc")]
    kept::mi_option_set_default(kept::PURGE_DELAY.0, kept::PURGE_DELAY.1);
}
