//! What each function of the door needs: texts and numbers in and out, handles, and exceptions.
#![allow(unsafe_code)]

use std::any::Any;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::JNIEnv;
use jni::objects::{GlobalRef, JObject, JString, JThrowable, JValue};
use jni::sys::{jlong, jlongArray, jobjectArray};
use messagegen_core::Error;
use messagegen_core::outcome::Kind;
use serde::de::DeserializeOwned;

/// Why a function fails: the exceptions are those of Java itself, because Spark's driver cannot read others that tasks throw.
pub enum Failure {
    /// An option, a path or an argument that cannot be used.
    Wrong(String),
    /// Something that cannot be read, or a defect.
    Failed(String),
    /// A file that Java could not read, with its exception.
    Io(String, GlobalRef),
    /// Of the JVM itself; an exception may be pending.
    Jvm(jni::errors::Error),
}

impl From<jni::errors::Error> for Failure {
    fn from(error: jni::errors::Error) -> Self {
        Failure::Jvm(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let thrown = error.io.as_ref().and_then(|cause| cause.1.get_ref()?.downcast_ref::<Thrown>());
        match (thrown, error.kind) {
            (Some(thrown), _) => Failure::Io(error.text, thrown.throwable.clone()),
            (None, Kind::Malformed | Kind::DataLoss | Kind::Gap | Kind::Checkpoint | Kind::Tiered | Kind::Io) => {
                Failure::Failed(error.text)
            }
            (None, _) => Failure::Wrong(error.text),
        }
    }
}

/// An exception of Java on its way through Rust.
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

/// What a function returns when it threw.
pub trait Nothing {
    fn nothing() -> Self;
}

impl Nothing for () {
    fn nothing() -> Self {}
}

impl Nothing for jlong {
    fn nothing() -> Self {
        0
    }
}

impl<T> Nothing for *mut T {
    fn nothing() -> Self {
        std::ptr::null_mut()
    }
}

/// Runs the body of a function of the door; what goes wrong, a panic too, becomes a Java exception.
pub fn guarded<'a, T: Nothing>(env: &mut JNIEnv<'a>, body: impl FnOnce(&mut JNIEnv<'a>) -> Result<T, Failure>) -> T {
    let outcome = catch_unwind(AssertUnwindSafe(|| body(env)));
    let failure = match outcome {
        Ok(Ok(value)) => return value,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::Failed(defect(panic_text(panic.as_ref()))),
    };
    // There is nothing else to tell about an exception that cannot be thrown.
    let _ = catch_unwind(AssertUnwindSafe(|| throw(env, failure)));
    T::nothing()
}

/// The text for what must not happen.
pub fn defect(what: impl Display) -> String {
    format!("a defect of messagegen, please report it: {what}")
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no reason was given")
}

fn throw(env: &mut JNIEnv<'_>, failure: Failure) -> jni::errors::Result<()> {
    if env.exception_check()? {
        return Ok(());
    }
    let (class, text, cause) = match failure {
        Failure::Wrong(text) => ("java/lang/IllegalArgumentException", text, None),
        Failure::Failed(text) => ("java/lang/IllegalStateException", text, None),
        Failure::Io(text, cause) => ("java/lang/RuntimeException", text, Some(cause)),
        Failure::Jvm(error) => ("java/lang/IllegalStateException", defect(error), None),
    };
    let text = env.new_string(text)?;
    let nothing = JObject::null();
    let cause = cause.as_ref().map_or(&nothing, |cause| cause.as_obj());
    let arguments = [JValue::Object(&text), JValue::Object(cause)];
    let made = env.new_object(class, "(Ljava/lang/String;Ljava/lang/Throwable;)V", &arguments)?;
    env.throw(JThrowable::from(made))
}

/// A value that Java holds by its address.
pub struct Handle<T>(PhantomData<T>);

impl<T> Handle<T> {
    /// Gives a value to Java.
    pub fn give(value: T) -> jlong {
        Box::into_raw(Box::new(value)) as jlong
    }

    /// The value of a handle. Java passes each to one thread at a time, and not after closing it.
    pub fn of<'a>(handle: jlong) -> Result<&'a mut T, Failure> {
        // SAFETY: the class `Native` of Java has handles only from `new`, of this type, and each is in one object that sets it to
        // zero under its lock when it closes it.
        unsafe { (handle as *mut T).as_mut() }
            .ok_or_else(|| Failure::Failed("the planner or reader was closed before".to_owned()))
    }

    /// Takes a value back, and drops it.
    pub fn close(handle: jlong) {
        if handle != 0 {
            // SAFETY: as above, and Java forgets the handle.
            drop(unsafe { Box::from_raw(handle as *mut T) });
        }
    }
}

/// A text.
pub fn text(env: &mut JNIEnv<'_>, from: &JString<'_>) -> Result<String, Failure> {
    Ok(env.get_string(from)?.into())
}

/// A value from its JSON.
pub fn json<T: DeserializeOwned>(env: &mut JNIEnv<'_>, from: &JString<'_>) -> Result<T, Failure> {
    serde_json::from_str(&text(env, from)?).map_err(|problem| Failure::Failed(defect(problem)))
}

/// An array of numbers for Java.
pub fn new_longs(env: &mut JNIEnv<'_>, numbers: &[i64]) -> Result<jlongArray, Failure> {
    let array = env.new_long_array(numbers.len() as i32)?;
    env.set_long_array_region(&array, 0, numbers)?;
    Ok(array.into_raw())
}

/// An array of texts for Java.
pub fn new_texts(env: &mut JNIEnv<'_>, all: Vec<Option<String>>) -> Result<jobjectArray, Failure> {
    let array = env.new_object_array(all.len() as i32, "java/lang/String", JObject::null())?;
    for (at, one) in all.into_iter().enumerate() {
        if let Some(one) = one {
            let element = env.new_string(one)?;
            env.set_object_array_element(&array, at as i32, &element)?;
            env.delete_local_ref(element)?;
        }
    }
    Ok(array.into_raw())
}
