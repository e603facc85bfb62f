//! The door to the JVM: plans and reads logs for the columnar source of Spark, and decodes and encodes messages for its
//! functions (`pipeline/java`).

mod batch;
mod content;
mod door;
mod functions;
mod native;
mod reader;
mod required;
mod rows;
mod spark_types;
mod storage;
