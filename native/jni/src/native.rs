//! The functions of the class `Native`. A panic or an error becomes a Java exception; a handle is the address of a value that Java
//! owns until it gives it back.
#![allow(unsafe_code)] // The JVM finds the functions by their names.

use std::sync::Arc;

use jni::JNIEnv;
use jni::objects::{JClass, JLongArray, JObject, JObjectArray, JString};
use jni::sys::{jlong, jlongArray, jobjectArray, jstring};

use crate::batch::{Exported, release};
use crate::content::{Content, OPTIONS};
use crate::door::{Failure, Handle, guarded, new_longs, new_texts, pairs, text, texts};
use crate::reader::{RowReader, pushed, schema};
use crate::storage::JavaStorage;
use messagegen_core::logs::{Limit, Options, Plan, Planner};

/// The columns of the options, as Spark's JSON of a struct type.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_schema<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JObjectArray<'a>,
) -> jstring {
    guarded(&mut env, |env| {
        let json = schema(&pairs(env, &options)?)?;
        Ok(env.new_string(json)?.into_raw())
    })
}

/// The bytes and the offsets that one micro-batch reads at most; -1: all.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_limits<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JObjectArray<'a>,
) -> jlongArray {
    guarded(&mut env, |env| {
        let mut options = pairs(env, &options)?;
        Content::take(&mut options)?;
        let options = Options::parse(&options, &OPTIONS)?;
        let limits = [options.max_bytes_per_trigger, options.max_offsets_per_trigger];
        new_longs(env, &limits.map(|limit| limit.map_or(-1, |limit| limit.try_into().unwrap_or(i64::MAX))))
    })
}

/// A planner for a query or a stream.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openPlanner<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JObjectArray<'a>,
    storage: JObject<'a>,
) -> jlong {
    guarded(&mut env, |env| {
        let mut options = pairs(env, &options)?;
        Content::take(&mut options)?;
        let options = Options::parse(&options, &OPTIONS)?;
        Ok(Handle::give(Planner::new(options, Arc::new(JavaStorage::new(env, &storage)?))?))
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_closePlanner<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) {
    guarded(&mut env, |_| {
        Handle::<Planner>::close(planner);
        Ok(())
    });
}

/// The tasks of a query: why there is nothing to read or null, then text, bytes and rows of each task.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_plan<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
    bounds: JLongArray<'a>,
    topics: JObjectArray<'a>,
    partitions: JObjectArray<'a>,
) -> jobjectArray {
    guarded(&mut env, |env| {
        let planner = Handle::<Planner>::of(planner)?;
        let plan = planner.plan(&pushed(env, &bounds, &topics, &partitions)?)?;
        plan_texts(env, plan)
    })
}

/// The offset at which a stream begins, as JSON.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_initial<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) -> jstring {
    guarded(&mut env, |env| {
        let offset = Handle::<Planner>::of(planner)?.initial()?;
        Ok(env.new_string(offset)?.into_raw())
    })
}

/// The offset to which the next micro-batch reads; at most `bytes` or `offsets` further, unless these are negative.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_latest<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
    start: JString<'a>,
    bytes: jlong,
    offsets: jlong,
) -> jstring {
    guarded(&mut env, |env| {
        let limit = match (u64::try_from(bytes), u64::try_from(offsets)) {
            (Ok(bytes), _) => Limit::Bytes(bytes),
            (_, Ok(offsets)) => Limit::Offsets(offsets),
            _ => Limit::All,
        };
        let start = text(env, &start)?;
        let offset = Handle::<Planner>::of(planner)?.latest(&start, limit)?;
        Ok(env.new_string(offset)?.into_raw())
    })
}

/// Remembers what there is now: nothing later is read.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_availableNow<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) {
    guarded(&mut env, |_| Ok(Handle::<Planner>::of(planner)?.available_now()?));
}

/// The tasks of a micro-batch, as `plan` gives them.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_between<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
    start: JString<'a>,
    end: JString<'a>,
    bounds: JLongArray<'a>,
    topics: JObjectArray<'a>,
    partitions: JObjectArray<'a>,
) -> jobjectArray {
    guarded(&mut env, |env| {
        let (start, end) = (text(env, &start)?, text(env, &end)?);
        let pushed = pushed(env, &bounds, &topics, &partitions)?;
        let plan = Handle::<Planner>::of(planner)?.between(&start, &end, &pushed)?;
        plan_texts(env, plan)
    })
}

/// A reader of one task. `columns` are the wanted ones, in order, and `fields` the wanted paths of the message; null: all.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openReader<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    task: JString<'a>,
    options: JObjectArray<'a>,
    columns: JObjectArray<'a>,
    fields: JObjectArray<'a>,
    bounds: JLongArray<'a>,
    topics: JObjectArray<'a>,
    partitions: JObjectArray<'a>,
    storage: JObject<'a>,
) -> jlong {
    guarded(&mut env, |env| {
        let options = pairs(env, &options)?;
        let columns = texts(env, &columns)?.unwrap_or_default();
        let fields = texts(env, &fields)?;
        let pushed = pushed(env, &bounds, &topics, &partitions)?;
        let storage = Arc::new(JavaStorage::new(env, &storage)?);
        let task = text(env, &task)?;
        Ok(Handle::give(RowReader::new(&task, options, columns, fields, &pushed, storage)?))
    })
}

/// The next batch as `batch::export` describes it, or null at the end.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_next<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    reader: jlong,
) -> jlongArray {
    guarded(&mut env, |env| {
        let Some(rows) = Handle::<RowReader>::of(reader)?.next()? else { return Ok(std::ptr::null_mut()) };
        // The array is made first: what fails after the export would leak its buffers.
        let exported = Exported::new(&rows)?;
        let array = new_longs(env, exported.numbers())?;
        exported.forget();
        Ok(array)
    })
}

/// Files, bytes, rows, damaged batches and rows left out so far.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_tally<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    reader: jlong,
) -> jlongArray {
    guarded(&mut env, |env| new_longs(env, &Handle::<RowReader>::of(reader)?.tally()))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_closeReader<'a>(mut env: JNIEnv<'a>, _: JClass<'a>, reader: jlong) {
    guarded(&mut env, |_| {
        Handle::<RowReader>::close(reader);
        Ok(())
    });
}

/// What a planner noticed since this was asked for the last time.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_planWarnings<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    planner: jlong,
) -> jobjectArray {
    guarded(&mut env, |env| warnings(env, Handle::<Planner>::of(planner)?.take_warnings()))
}

/// The same of a reader.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_readWarnings<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    reader: jlong,
) -> jobjectArray {
    guarded(&mut env, |env| warnings(env, Handle::<RowReader>::of(reader)?.take_warnings()))
}

/// Gives back one buffer of a batch.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_release<'a>(mut env: JNIEnv<'a>, _: JClass<'a>, buffer: jlong) {
    guarded(&mut env, |_| {
        release(buffer);
        Ok(())
    });
}

/// Panics, for the test of this door.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_panic<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    message: JString<'a>,
) {
    guarded(&mut env, |env| -> Result<(), Failure> { panic!("{}", text(env, &message)?) });
}

fn warnings(env: &mut JNIEnv<'_>, all: Vec<String>) -> Result<jobjectArray, Failure> {
    new_texts(env, &all.into_iter().map(Some).collect::<Vec<_>>())
}

fn plan_texts<'a>(env: &mut JNIEnv<'a>, plan: Plan) -> Result<jobjectArray, Failure> {
    let mut all = vec![plan.nothing];
    for task in plan.tasks {
        let rows = task.rows.map(|rows| rows.to_string());
        all.extend([Some(task.text), Some(task.bytes.to_string()), rows]);
    }
    new_texts(env, &all)
}
