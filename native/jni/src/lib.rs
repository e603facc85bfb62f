//! The door to the JVM: plans and reads logs for the columnar source of Spark (`pipeline/java`).

mod batch;
mod content;
mod door;
mod native;
mod reader;
mod spark_types;
mod storage;

/// The system's allocator returns the pages of each batch and clears them again; this one keeps them.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
