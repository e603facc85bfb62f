//! The functions of the class `Native` for functions of Spark.
#![allow(unsafe_code)] // The JVM finds the functions by their names.

use std::cell::RefCell;

use jni::JNIEnv;
use jni::objects::{JByteArray, JClass, JString};
use jni::sys::{jboolean, jlong};
use messagegen_core::logs::Given;

use super::{Function, version_of};
use crate::content::VERSION_BYTES;
use crate::door::{Failure, close, give, guarded, shared, text};

/// Memory above this is given back before the next value.
pub const KEPT_BYTES: usize = 4 << 20;

/// What each thread uses again for all its calls.
#[derive(Default)]
struct Scratch {
    value: Vec<i8>,
    words: Vec<u64>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A function, by its options.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openFunction<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JString<'_>,
) -> jlong {
    guarded(&mut env, |env| {
        let options = Given::from_json(&text(env, &options)?)?;
        Ok(give(Function::new(options)?))
    })
}

/// The type of its results, as Spark's JSON.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_resultType<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
) -> JString<'a> {
    guarded(&mut env, |env| {
        let json = shared::<Function>(function)?.result_type()?;
        Ok(env.new_string(json)?)
    })
}

/// The address of the row of a message in a version, behind the number of its bytes; 0 for null.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_decode<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
    value: JByteArray<'_>,
    version: jlong,
    has_version: jboolean,
) -> jlong {
    let version = (has_version != 0).then_some(version);
    guarded(&mut env, |env| decoded(env, function, &value, 0, |_| version))
}

/// The same for a value that begins with its version.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_decodeVersioned<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
    value: JByteArray<'_>,
) -> jlong {
    guarded(&mut env, |env| {
        decoded(env, function, &value, VERSION_BYTES, version_of)
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_closeFunction<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
) {
    guarded(&mut env, |_| {
        close::<Function>(function);
        Ok(())
    })
}

/// The address of the row of the message behind the first `skip` bytes. The words stay there until this thread asks for
/// the next row.
#[inline]
fn decoded(
    env: &mut JNIEnv<'_>,
    function: jlong,
    value: &JByteArray<'_>,
    skip: usize,
    version: impl FnOnce(&[u8]) -> Option<i64>,
) -> Result<jlong, Failure> {
    let function = shared::<Function>(function)?;
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.shrink();
        let length = env.get_array_length(value)?;
        scratch.value.resize(length as usize, 0);
        env.get_byte_array_region(value, 0, &mut scratch.value)?;
        let value = unsigned(&scratch.value);
        function.row(&mut scratch.words, version(value), value, skip)?;
        Ok(match scratch.words.is_empty() {
            true => 0,
            false => scratch.words.as_ptr() as jlong,
        })
    })
}

impl Scratch {
    /// Gives memory back that few values need.
    #[inline]
    fn shrink(&mut self) {
        if self.value.capacity() > KEPT_BYTES {
            self.value = Vec::new();
        }
        if size_of::<u64>() * self.words.capacity() > KEPT_BYTES {
            self.words = Vec::new();
        }
    }
}

/// The same bytes.
pub fn unsigned(bytes: &[i8]) -> &[u8] {
    // SAFETY: both types have one byte, and any byte is a value of both.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}
