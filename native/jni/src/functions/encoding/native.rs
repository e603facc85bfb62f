//! The functions of the Java class `Native` for Spark's encoding functions.
#![allow(unsafe_code)] // The JVM finds the functions by their names.

use jni::JNIEnv;
use jni::objects::{JClass, JString};
use jni::sys::{jboolean, jint, jlong};
use messagegen_core::logs::Given;

use super::EncodeFunction;
use crate::door::{close, give, guarded, shared, text};
use crate::functions::scratch::{self, Output};

/// Create an encoding function from the name of a message, its plan, the options and the type of the rows, and return
/// the function's handle.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openEncoder<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    message: JString<'_>,
    plan: JString<'_>,
    options: JString<'_>,
    row_type: JString<'_>,
) -> jlong {
    guarded(&mut env, |env| {
        let message = text(env, &message)?;
        let plan = text(env, &plan)?;
        let options = Given::not_of_a_log(&text(env, &options)?)?;
        let row_type = text(env, &row_type)?;
        Ok(give(EncodeFunction::new(message, &plan, options, &row_type)?))
    })
}

/// Encode the row in the first `bytes` bytes of the input. Returns the address of the result's size, which precedes the
/// result, or 0 for null. The result stays valid until this thread's next call.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_encode<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
    bytes: jint,
    version: jlong,
    has_version: jboolean,
) -> jlong {
    let version = (has_version != 0).then_some(version);
    guarded(&mut env, |_| {
        let function = shared::<EncodeFunction>(function)?;
        scratch::with(bytes.try_into()?, |row, Output { bytes: result, .. }| {
            function.result(result, version, row)?;
            Ok(match result.is_empty() {
                true => 0,
                false => result.as_ptr() as jlong,
            })
        })
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_closeEncoder<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
) {
    guarded(&mut env, |_| {
        close::<EncodeFunction>(function);
        Ok(())
    })
}
