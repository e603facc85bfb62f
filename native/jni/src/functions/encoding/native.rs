//! The functions of the class `Native` for functions of Spark that encode.
#![allow(unsafe_code)] // The JVM finds the functions by their names.

use std::cell::RefCell;

use jni::JNIEnv;
use jni::objects::{JByteArray, JClass, JString};
use jni::sys::{jboolean, jint, jlong};
use messagegen_core::logs::Given;

use super::EncodeFunction;
use crate::door::{close, give, guarded, shared, text};
use crate::functions::native::{KEPT_BYTES, unsigned};

/// What each thread uses again for all its calls.
#[derive(Default)]
struct Scratch {
    row: Vec<i8>,
    result: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A function, by its options and the type of its rows.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_openEncoder<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    options: JString<'_>,
    row_type: JString<'_>,
) -> jlong {
    guarded(&mut env, |env| {
        let options = Given::from_json(&text(env, &options)?)?;
        let row_type = text(env, &row_type)?;
        Ok(give(EncodeFunction::new(options, &row_type)?))
    })
}

/// The address of the result for a row in some bytes, behind the number of its bytes; 0 for null. The result stays there
/// until this thread asks for the next one.
#[unsafe(no_mangle)]
pub extern "system" fn Java_messagegen_spark_Native_encode<'a>(
    mut env: JNIEnv<'a>,
    _: JClass<'a>,
    function: jlong,
    bytes: JByteArray<'_>,
    start: jint,
    size: jint,
    version: jlong,
    has_version: jboolean,
) -> jlong {
    let version = (has_version != 0).then_some(version);
    guarded(&mut env, |env| {
        let function = shared::<EncodeFunction>(function)?;
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.shrink();
            scratch.row.resize(usize::try_from(size)?, 0);
            env.get_byte_array_region(&bytes, start, &mut scratch.row)?;
            function.result(&mut scratch.result, version, unsigned(&scratch.row))?;
            Ok(match scratch.result.is_empty() {
                true => 0,
                false => scratch.result.as_ptr() as jlong,
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

impl Scratch {
    /// Gives memory back that few rows need.
    #[inline]
    fn shrink(&mut self) {
        if self.row.capacity() > KEPT_BYTES {
            self.row = Vec::new();
        }
        if self.result.capacity() > KEPT_BYTES {
            self.result = Vec::new();
        }
    }
}
