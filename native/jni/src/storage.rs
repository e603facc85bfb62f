//! File access through the Java class `Storage`, which uses Hadoop's file systems and Spark's credentials.
#![allow(unsafe_code)]

use std::io;

use jni::objects::{GlobalRef, JObject, JString, JThrowable, JValue};
use jni::{JNIEnv, JavaVM};

use messagegen_core::logs::{Entry, File, Host};

use crate::door::{Failure, Thrown, text};

/// An instance of the Java class `Storage` or `OpenFile`, which any attached thread may call.
pub struct Java {
    vm: JavaVM,
    object: GlobalRef,
}

/// The capacity for local references during a call.
const FRAME: i32 = 64;

impl Java {
    /// Keep a Java object alive until this value is dropped.
    pub fn new(env: &mut JNIEnv<'_>, object: &JObject<'_>) -> Result<Self, Failure> {
        Ok(Java {
            vm: env.get_java_vm()?,
            object: env.new_global_ref(object)?,
        })
    }

    /// Call Java. An exception becomes an I/O error that contains it.
    fn call<T>(&self, work: impl FnOnce(&mut JNIEnv<'_>, &JObject<'_>) -> Result<T, Failure>) -> io::Result<T> {
        let mut env = self.vm.get_env().map_err(|error| io::Error::other(error.to_string()))?;
        let outcome = env.with_local_frame(FRAME, |env| {
            Ok::<_, jni::errors::Error>(work(env, self.object.as_obj()))
        });
        outcome
            .unwrap_or_else(|error| Err(error.into()))
            .map_err(|error| thrown(&mut env, &error.to_string()))
    }
}

/// Clear the pending exception and return it as an error. If no exception is pending, return `error`.
fn thrown(env: &mut JNIEnv<'_>, error: &str) -> io::Error {
    let described = |env: &mut JNIEnv<'_>| -> Result<io::Error, Failure> {
        let throwable: JThrowable<'_> = env.exception_occurred()?;
        if throwable.is_null() {
            return Ok(io::Error::other(error));
        }
        env.exception_clear()?;
        let is_missing = env.is_instance_of(&throwable, "java/io/FileNotFoundException")?;
        let description = env
            .call_method(&throwable, "toString", "()Ljava/lang/String;", &[])?
            .l()?;
        let text = text(env, &JString::from(description))?;
        let kind = if is_missing {
            io::ErrorKind::NotFound
        } else {
            io::ErrorKind::Other
        };
        Ok(io::Error::new(
            kind,
            Thrown {
                throwable: env.new_global_ref(throwable)?,
                text,
            },
        ))
    };
    described(env).unwrap_or_else(|_| io::Error::other(error))
}

impl Java {
    /// Call a method of `Storage` with a path, and return the string that it returns; `None` for null.
    fn text_of(&self, method: &str, path: &str) -> io::Result<Option<String>> {
        self.call(|env, object| {
            let path = env.new_string(path)?;
            let arguments = [JValue::Object(&path)];
            let found = env
                .call_method(object, method, "(Ljava/lang/String;)Ljava/lang/String;", &arguments)?
                .l()?;
            if found.is_null() {
                Ok(None)
            } else {
                text(env, &JString::from(found)).map(Some)
            }
        })
    }
}

impl Host for Java {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let all = self.text_of("list", folder)?.unwrap_or_default();
        all.split_terminator('/').map(entry).collect()
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        self.text_of("entry", path)?.as_deref().map(entry).transpose()
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        let (java, size) = self.call(|env, object| {
            let path = env.new_string(path)?;
            let arguments = [JValue::Object(&path)];
            let opened = "(Ljava/lang/String;)Lmessagegen/spark/OpenFile;";
            let opened = env.call_method(object, "open", opened, &arguments)?.l()?;
            let size = env.call_method(&opened, "size", "()J", &[])?.j()?;
            Ok((Java::new(env, &opened)?, size))
        })?;
        Ok(Box::new(JavaFile {
            java,
            size: size.max(0) as u64,
        }))
    }
}

/// Parse an entry from Java: `F` or `D`, the size, a space and the name.
fn entry(line: &str) -> io::Result<Entry> {
    let parsed = || {
        let (kind, name) = line.split_once(' ')?;
        let size = kind.get(1..)?.parse().ok()?;
        Some(Entry::new(name.to_owned(), size, !kind.starts_with('F'), 0))
    };
    parsed().ok_or_else(|| io::Error::other("invalid entry from the storage"))
}

/// An instance of the Java class `OpenFile`.
struct JavaFile {
    java: Java,
    size: u64,
}

impl File for JavaFile {
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.java.call(|env, object| {
            // SAFETY: Java fills the buffer during the call, and keeps no reference to the buffer (`OpenFile.read`).
            let direct = unsafe { env.new_direct_byte_buffer(buffer.as_mut_ptr(), buffer.len())? };
            let arguments = [JValue::Long(position as i64), JValue::Object(&direct)];
            Ok(env
                .call_method(object, "read", "(JLjava/nio/ByteBuffer;)I", &arguments)?
                .i()?)
        })?;
        Ok(usize::try_from(read).unwrap_or(0).min(buffer.len()))
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }
}

impl Drop for JavaFile {
    fn drop(&mut self) {
        // Ignore a failure to close, because no data was written.
        let _ = self
            .java
            .call(|env, object| Ok(env.call_method(object, "close", "()V", &[])?.v()?));
    }
}
