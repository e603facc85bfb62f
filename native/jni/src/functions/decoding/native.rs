//! The functions of the Java class `Native` for Spark's decoding functions.
#![allow(unsafe_code)] // The JVM finds the functions by their names.

use jni::JNIEnv;
use jni::objects::{JClass, JString};
use jni::sys::{jboolean, jint, jlong};
use messagegen_core::logs::Given;

use super::Function;
use crate::content::{VERSION_BYTES, version_of};
use crate::door::{Failure, close, give, guarded, shared, text};
use crate::functions::scratch::{self, Output};

/// Create a decoding function from the name of a message, its plan and the options, and return the function's handle.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openFunction<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    message: JString<'_>,
    plan: JString<'_>,
    options: JString<'_>,
) -> jlong {
    guarded(&mut env, |env| {
        let message = text(env, &message)?;
        let plan = text(env, &plan)?;
        let options = Given::not_of_a_log(&text(env, &options)?)?;
        Ok(give(Function::new(message, &plan, options)?))
    })
}

/// Return the type of a function's results, as Spark's JSON.
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

/// Replace the input memory of this thread by `bytes` zero bytes, and return its address.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_newInput<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    bytes: jint,
) -> jlong {
    guarded(&mut env, |_| Ok(scratch::new_input(bytes.try_into()?) as jlong))
}

/// Decode the message in the first `bytes` bytes of the input. Returns the address of the row's size, which precedes
/// the row, or 0 for null.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_decode<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
    bytes: jint,
    version: jlong,
    has_version: jboolean,
) -> jlong {
    let version = (has_version != 0).then_some(version);
    guarded(&mut env, |_| decoded(function, bytes, 0, |_| version))
}

/// Decode as `decode` does, but read the version from the start of the value.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_decodeVersioned<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
    bytes: jint,
) -> jlong {
    guarded(&mut env, |_| decoded(function, bytes, VERSION_BYTES, version_of))
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

/// Decode the message after the first `skip` bytes, and return the address of its words, or 0. The words stay valid
/// until this thread's next call.
#[inline]
fn decoded(
    function: jlong,
    bytes: jint,
    skip: usize,
    version: impl FnOnce(&[u8]) -> Option<i64>,
) -> Result<jlong, Failure> {
    let function = shared::<Function>(function)?;
    scratch::with(bytes.try_into()?, |value, Output { words, .. }| {
        function.row(words, version(value), value, skip)?;
        Ok(match words.is_empty() {
            true => 0,
            false => words.as_ptr() as jlong,
        })
    })
}
