//! The functions of the Java class `Native`. A handle is the address of a value that Java owns until it closes the
//! handle.
#![allow(unsafe_code)] // The JVM finds the functions by their names.

use std::ffi;

use arrow_data::ArrayData;
use jni::JNIEnv;
use jni::objects::{JClass, JLongArray, JObject, JObjectArray, JString};
use jni::sys::{JNI_VERSION_1_8, jint, jlong};
use messagegen_core::PROFILE;
use messagegen_core::logs::{Given, Limit, Options, Planner, Storage, Task, suggestion};
use messagegen_core::memory::keep_freed;

use crate::batch::described;
use crate::content::Content;
use crate::door::{Failure, close, give, guarded, held, json, new_longs, new_texts, text};
use crate::reader::{Request, RowReader, schema};
use crate::storage::Java;

/// Initialize the library; the JVM calls this function after loading it.
#[unsafe(no_mangle)]
pub extern "system" fn JNI_OnLoad(_: *mut ffi::c_void, _: *mut ffi::c_void) -> jint {
    keep_freed();
    JNI_VERSION_1_8
}

/// Return the Cargo profile of this library, `dev` or `release`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_profile<'a>(mut env: JNIEnv<'a>, _: JClass<'a>) -> JString<'a> {
    guarded(&mut env, |env| Ok(env.new_string(PROFILE)?))
}

/// Return `did you mean ...?` with the line of `known` that is most similar to `wanted`; empty if no line is similar.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_suggestion<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    wanted: JString<'_>,
    known: JString<'_>,
) -> JString<'a> {
    guarded(&mut env, |env| {
        let (wanted, known) = (text(env, &wanted)?, text(env, &known)?);
        let known: Vec<&str> = known.lines().collect();
        Ok(env.new_string(suggestion(&wanted, &known, String::new))?)
    })
}

/// Return the columns that the options select, as a struct type in Spark's JSON.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_schema<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JString<'_>,
) -> JString<'a> {
    guarded(&mut env, |env| {
        let json = schema(Given::from_json(&text(env, &options)?)?)?;
        Ok(env.new_string(json)?)
    })
}

/// Return the maximum number of bytes and of offsets in a micro-batch; -1 means no limit.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_limits<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JString<'_>,
) -> JLongArray<'a> {
    guarded(&mut env, |env| {
        let options = log_options(env, &options)?;
        let limits = [options.max_bytes_per_trigger, options.max_offsets_per_trigger];
        new_longs(
            env,
            &limits.map(|limit| limit.map_or(-1, |limit| limit.try_into().unwrap_or(i64::MAX))),
        )
    })
}

/// Create a planner for a query or a stream, and return its handle.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openPlanner<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JString<'_>,
    cores: jint,
    storage: JObject<'_>,
) -> jlong {
    guarded(&mut env, |env| {
        let options = log_options(env, &options)?;
        let cores = u64::try_from(cores).unwrap_or(1);
        Ok(give(Planner::new(
            options,
            cores,
            Storage::new(Java::new(env, &storage)?),
        )?))
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_closePlanner<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) {
    guarded(&mut env, |_| {
        close::<Planner>(planner);
        Ok(())
    })
}

/// Fail if nothing exists at a path of the options that is not a pattern.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_checkPaths<'a>(mut env: JNIEnv<'a>, _: JClass<'a>, planner: jlong) {
    guarded(&mut env, |_| Ok(held::<Planner>(planner)?.check_paths()?))
}

/// Return the names of all topics at the paths of the options.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_topics<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) -> JObjectArray<'a> {
    guarded(&mut env, |env| {
        let topics = held::<Planner>(planner)?.topics()?;
        new_texts(env, topics)
    })
}

/// Return the tasks of a query: alternately the text of a task and its number of bytes.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_plan<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
    filters: JString<'_>,
) -> JObjectArray<'a> {
    guarded(&mut env, |env| {
        let tasks = held::<Planner>(planner)?.plan(&json(env, &filters)?)?;
        task_texts(env, tasks)
    })
}

/// Return the counts of the planner's latest plan: segments, skipped segments and skipped partitions. The result is
/// empty before the first plan.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_planned<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) -> JLongArray<'a> {
    guarded(&mut env, |env| {
        let planned = held::<Planner>(planner)?.planned();
        new_counts(env, planned.map(|planned| planned.counts()))
    })
}

/// Return how far a stream is behind: partitions, partitions with unread bytes, and unread bytes. The result is empty
/// until the stream has first looked for data.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_behind<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) -> JLongArray<'a> {
    guarded(&mut env, |env| {
        let behind = held::<Planner>(planner)?.behind();
        new_counts(env, behind.map(|behind| behind.counts()))
    })
}

/// Return the Spark offset at which a stream begins, as JSON.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_initial<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) -> JString<'a> {
    guarded(&mut env, |env| {
        let offset = held::<Planner>(planner)?.initial()?;
        Ok(env.new_string(offset)?)
    })
}

/// Return the Spark offset at which the next micro-batch ends, at most `bytes` or `offsets` after `start`, and the
/// offset at which the logs end. Negative limits are ignored.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_latest<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
    start: JString<'_>,
    bytes: jlong,
    offsets: jlong,
) -> JObjectArray<'a> {
    guarded(&mut env, |env| {
        let start = text(env, &start)?;
        let limit = Limit {
            bytes: bytes.try_into().ok(),
            offsets: offsets.try_into().ok(),
        };
        let ends = held::<Planner>(planner)?.latest(&start, limit)?;
        new_texts(env, vec![ends.end, ends.latest])
    })
}

/// Pin the end of the stream, for `Trigger.AvailableNow`: later records are not read.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_availableNow<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) {
    guarded(&mut env, |_| Ok(held::<Planner>(planner)?.available_now()?))
}

/// Return the tasks of a micro-batch, in the same format as `plan`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_between<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
    start: JString<'_>,
    end: JString<'_>,
    filters: JString<'_>,
) -> JObjectArray<'a> {
    guarded(&mut env, |env| {
        let start = text(env, &start)?;
        let end = text(env, &end)?;
        let tasks = held::<Planner>(planner)?.between(&start, &end, &json(env, &filters)?)?;
        task_texts(env, tasks)
    })
}

/// Create a reader for one task, and return its handle.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openReader<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    task: JString<'_>,
    request: JString<'_>,
    storage: JObject<'_>,
) -> jlong {
    guarded(&mut env, |env| {
        let storage = Storage::new(Java::new(env, &storage)?);
        let task = text(env, &task)?;
        let request: Request = json(env, &request)?;
        Ok(give(RowReader::new(&task, request, storage)?))
    })
}

/// Return the handle of the next batch's columns, followed by the numbers that `batch::described` returns; null at the
/// end.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_next<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    reader: jlong,
) -> JLongArray<'a> {
    guarded(&mut env, |env| {
        let Some((rows, columns)) = held::<RowReader>(reader)?.next()? else {
            return Ok(JLongArray::default());
        };
        let described = described(rows, &columns)?;
        let handle = give(columns);
        new_longs(env, &[&[handle], described.as_slice()].concat()).inspect_err(|_| close::<Vec<ArrayData>>(handle))
    })
}

/// Return the counts of a reader: files, bytes, rows and damaged batches. The last three counts are the control
/// records, the uncommitted records, and the damaged batches and values that were left out.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_tally<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    reader: jlong,
) -> JLongArray<'a> {
    guarded(&mut env, |env| new_longs(env, &held::<RowReader>(reader)?.tally()))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_closeReader<'a>(mut env: JNIEnv<'a>, _: JClass<'a>, reader: jlong) {
    guarded(&mut env, |_| {
        close::<RowReader>(reader);
        Ok(())
    })
}

/// Return the warnings of a planner since the last call.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_planWarnings<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) -> JObjectArray<'a> {
    guarded(&mut env, |env| {
        new_texts(env, held::<Planner>(planner)?.take_warnings())
    })
}

/// Return the warnings of a reader since the last call.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_readWarnings<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    reader: jlong,
) -> JObjectArray<'a> {
    guarded(&mut env, |env| {
        new_texts(env, held::<RowReader>(reader)?.take_warnings())
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_closeBatch<'a>(mut env: JNIEnv<'a>, _: JClass<'a>, batch: jlong) {
    guarded(&mut env, |_| {
        close::<Vec<ArrayData>>(batch);
        Ok(())
    })
}

/// Parse the log options, and drop the options for decoding values.
fn log_options(env: &mut JNIEnv<'_>, options: &JString<'_>) -> Result<Options, Failure> {
    let mut given = Given::from_json(&text(env, options)?)?;
    Content::take(&mut given)?;
    Ok(Options::take(given)?)
}

/// Create a Java array of counts; empty for `None`.
fn new_counts<'a>(env: &mut JNIEnv<'a>, counts: Option<[u64; 3]>) -> Result<JLongArray<'a>, Failure> {
    let numbers = counts.map(|counts| counts.map(|count| i64::try_from(count).unwrap_or(i64::MAX)));
    new_longs(env, numbers.as_ref().map_or(&[], |numbers| numbers))
}

fn task_texts<'a>(env: &mut JNIEnv<'a>, tasks: Vec<Task>) -> Result<JObjectArray<'a>, Failure> {
    new_texts(
        env,
        tasks
            .into_iter()
            .flat_map(|task| [task.text, task.bytes.to_string()])
            .collect(),
    )
}
