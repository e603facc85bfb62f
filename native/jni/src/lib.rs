//! The JVM binding: plans and reads logs for the Spark source `kafka-log`, and decodes and encodes messages for Spark
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
