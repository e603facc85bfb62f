//! Helpers for the JNI functions: strings, numbers, handles and exceptions.
#![allow(unsafe_code)]

use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::JNIEnv;
use jni::objects::{GlobalRef, JLongArray, JObject, JObjectArray, JString, JThrowable, JValue};
use jni::sys::jlong;
use messagegen_core::Error;
use messagegen_core::outcome::{Kind, panic_text};
use serde::de::DeserializeOwned;

/// The reason why a function fails: an error of the core, or a JNI error, perhaps with a pending exception.
pub type Failure = Box<dyn std::error::Error>;

/// A Java exception that passes through Rust.
#[derive(Debug)]
pub struct Thrown {
    pub throwable: GlobalRef,
    pub text: String,
}

impl Display for Thrown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Thrown {}

/// Run the body of a JNI function. A failure or a panic becomes a Java exception.
pub fn guarded<'a, T: Default>(env: &mut JNIEnv<'a>, body: impl FnOnce(&mut JNIEnv<'a>) -> Result<T, Failure>) -> T {
    match without_panics(|| body(env)) {
        Ok(value) => value,
        Err(failure) => {
            // If throwing the exception fails, it is lost.
            let _ = catch_unwind(AssertUnwindSafe(|| throw(env, failure)));
            T::default()
        }
    }
}

/// Run a function and return its panic as a failure: a panic must not unwind into the JVM.
fn without_panics<T>(body: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(outcome) => outcome,
        Err(panic) => Err(defect(panic_text(panic.as_ref())).into()),
    }
}

/// Return the error for a defect of this library.
pub fn defect(what: impl Display) -> Error {
    Error::new(
        Kind::Malformed,
        format!("a defect of messagegen, please report it: {what}"),
    )
}

/// Throw `failure` as an exception of a class from Java's standard library: Spark's driver cannot deserialize other
/// classes from tasks.
fn throw(env: &mut JNIEnv<'_>, failure: Failure) -> jni::errors::Result<()> {
    if env.exception_check()? {
        return Ok(());
    }
    let Error { kind, text, io } = failure.downcast::<Error>().map_or_else(defect, |error| *error);
    // If Java's file access failed, its exception becomes the cause.
    let thrown = io
        .as_ref()
        .and_then(|cause| cause.1.get_ref()?.downcast_ref::<Thrown>());
    let class = match kind {
        _ if thrown.is_some() => "java/lang/RuntimeException",
        Kind::Malformed | Kind::DataLoss | Kind::Gap | Kind::Checkpoint | Kind::Tiered | Kind::Io => {
            "java/lang/IllegalStateException"
        }
        _ => "java/lang/IllegalArgumentException",
    };
    let text = env.new_string(text)?;
    let nothing = JObject::null();
    let cause = thrown.map_or(&nothing, |thrown| thrown.throwable.as_obj());
    let arguments = [JValue::Object(&text), JValue::Object(cause)];
    let made = env.new_object(class, "(Ljava/lang/String;Ljava/lang/Throwable;)V", &arguments)?;
    env.throw(JThrowable::from(made))
}

/// Hand a value over to Java, and return its address as the handle.
pub fn give<T>(value: T) -> jlong {
    Box::into_raw(Box::new(value)) as jlong
}

/// Return the value of a handle. Java uses a handle in one thread at a time, and never after closing it.
pub fn held<'a, T>(handle: jlong) -> Result<&'a mut T, Failure> {
    // SAFETY: Java's class `Native` only passes handles that `give` returned for this type. Each handle of a planner or
    // reader belongs to one Java object, which sets it to zero under the object's lock when it closes it.
    unsafe { (handle as *mut T).as_mut() }
        .ok_or_else(|| Error::new(Kind::Malformed, "the planner or reader was closed before").into())
}

/// Return the value of a handle that several threads may read at the same time.
pub fn shared<'a, T: Sync>(handle: jlong) -> Result<&'a T, Failure> {
    // SAFETY: Java's class `Program` only passes handles that `give` returned for this type. It closes a handle only
    // after the object that holds the handle has become unreachable.
    unsafe { (handle as *const T).as_ref() }
        .ok_or_else(|| Error::new(Kind::Malformed, "the function was closed before").into())
}

/// Take a value back from Java and drop it; 0 is ignored.
pub fn close<T>(handle: jlong) {
    if handle != 0 {
        // SAFETY: as above, and Java does not use the handle again. It closes a batch exactly once, when the count of
        // its users falls to zero.
        drop(unsafe { Box::from_raw(handle as *mut T) });
    }
}

/// Return a Java string as a `String`.
pub fn text(env: &mut JNIEnv<'_>, from: &JString<'_>) -> Result<String, Failure> {
    Ok(env.get_string(from)?.into())
}

/// Parse a value from JSON that Java wrote.
pub fn json<T: DeserializeOwned>(env: &mut JNIEnv<'_>, from: &JString<'_>) -> Result<T, Failure> {
    serde_json::from_str(&text(env, from)?).map_err(|problem| defect(problem).into())
}

/// Create a Java array of numbers.
pub fn new_longs<'a>(env: &mut JNIEnv<'a>, numbers: &[i64]) -> Result<JLongArray<'a>, Failure> {
    let array = env.new_long_array(numbers.len() as i32)?;
    env.set_long_array_region(&array, 0, numbers)?;
    Ok(array)
}

/// Create a Java array of strings.
pub fn new_texts<'a>(env: &mut JNIEnv<'a>, all: Vec<String>) -> Result<JObjectArray<'a>, Failure> {
    let array = env.new_object_array(all.len() as i32, "java/lang/String", JObject::null())?;
    for (at, one) in all.into_iter().enumerate() {
        let element = env.new_string(one)?;
        env.set_object_array_element(&array, at as i32, &element)?;
        env.delete_local_ref(element)?;
    }
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure() {
        let failed: Result<(), Failure> = without_panics(|| panic!("no {}", "way"));
        let text = failed.err().map(|failure| failure.to_string());
        assert_eq!(
            text.as_deref(),
            Some("a defect of messagegen, please report it: no way")
        );
        assert!(matches!(without_panics(|| Ok(7)), Ok(7)));
    }
}
