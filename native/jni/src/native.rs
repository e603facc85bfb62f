//! The functions of the class `Native`. A handle is the address of a value that Java owns until it gives it back.
#![allow(unsafe_code)] // The JVM finds the functions by their names.

use std::ffi;

use arrow_data::ArrayData;
use jni::JNIEnv;
use jni::objects::{JClass, JLongArray, JObject, JObjectArray, JString};
use jni::sys::{JNI_VERSION_1_8, jint, jlong};
use messagegen_core::logs::{Given, Options, Planner, Storage, Task};
use messagegen_core::memory::keep_freed;

use crate::batch::described;
use crate::content::Content;
use crate::door::{Failure, close, give, guarded, held, json, new_longs, new_texts, text};
use crate::reader::{Request, RowReader, schema};
use crate::storage::Java;

/// The JVM calls this when it loads the library.
#[unsafe(no_mangle)]
pub extern "system" fn JNI_OnLoad(_: *mut ffi::c_void, _: *mut ffi::c_void) -> jint {
    keep_freed();
    JNI_VERSION_1_8
}

/// The columns of the options, as Spark's JSON of a struct type.
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

/// The bytes and the offsets that one micro-batch reads at most; -1: all.
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

/// A planner for a query or a stream.
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

/// The tasks of a query: text and bytes of each task.
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

/// What the latest plan of a planner reads and leaves out; nothing before the first one.
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

/// What a stream has not read yet; nothing before it looked for the first time.
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

/// The offset at which a stream begins, as JSON.
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

/// The offset to which the next micro-batch reads; at most `bytes` or `offsets` further, unless these are negative.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_latest<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
    start: JString<'_>,
    bytes: jlong,
    offsets: jlong,
) -> JString<'a> {
    guarded(&mut env, |env| {
        let start = text(env, &start)?;
        let offset = held::<Planner>(planner)?.latest(&start, bytes.try_into().ok(), offsets.try_into().ok())?;
        Ok(env.new_string(offset)?)
    })
}

/// Remembers what there is now: nothing later is read.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_availableNow<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) {
    guarded(&mut env, |_| Ok(held::<Planner>(planner)?.available_now()?))
}

/// The tasks of a micro-batch, as `plan` gives them.
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

/// A reader of one task.
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

/// The handle of the columns of the next batch, and what `batch::described` says of it; null at the end.
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

/// Files, bytes, rows, damaged batches and rows left out so far.
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

/// What a planner noticed since this was asked for the last time.
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

/// The same of a reader.
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

/// The options without those for values.
fn log_options(env: &mut JNIEnv<'_>, options: &JString<'_>) -> Result<Options, Failure> {
    let mut given = Given::from_json(&text(env, options)?)?;
    Content::take(&mut given)?;
    Ok(Options::take(given)?)
}

/// Counts for Java; an empty array for none.
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
