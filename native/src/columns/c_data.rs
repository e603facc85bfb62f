//! Arrow's C data interface as another library filled it: two structs, read field by field.
//!
//! The producer is trusted with what nobody can check, namely that pointers lead to what the format says. Everything
//! that can be checked is: counts, missing pointers, and text that is not UTF-8. So a struct that was filled wrongly is an
//! error and no panic.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;

/// `struct ArrowSchema`.
#[repr(C)]
pub struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const Schema,
    dictionary: *const Schema,
    release: *const c_void,
    private_data: *const c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
pub struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *const *const Array,
    dictionary: *const Array,
    release: *const c_void,
    private_data: *const c_void,
}

impl Schema {
    /// The schema that a capsule holds; `None` once it was released.
    ///
    /// # Safety
    /// The pointer must lead to a schema that lives, and stays where it is, for as long as `'a`.
    pub unsafe fn from_capsule<'a>(pointer: NonNull<Self>) -> Option<&'a Self> {
        // SAFETY: the caller says so. Only producers make schemas, which holds for all below it, too.
        let schema = unsafe { pointer.as_ref() };
        (!schema.release.is_null()).then_some(schema)
    }

    /// The name of the type; `None` if it is missing or not UTF-8.
    pub fn format(&self) -> Option<&str> {
        if !self.dictionary.is_null() {
            return Some("dictionary");
        }
        text(&self.format)
    }

    /// The name of the column, empty where it has none; `None` if it is not UTF-8.
    pub fn name(&self) -> Option<&str> {
        if self.name.is_null() { Some("") } else { text(&self.name) }
    }

    /// The number of children; none for a number that makes no sense.
    pub fn child_count(&self) -> usize {
        if self.children.is_null() { 0 } else { usize::try_from(self.n_children).unwrap_or(0) }
    }

    /// A child; `None` if it is missing.
    pub fn child(&self, number: usize) -> Option<&Self> {
        // SAFETY: `n_children` pointers lie at `children`, which live as long as their schema.
        unsafe { child(self.n_children, self.children, number) }
    }
}

/// Text that lives as long as the struct whose pointer it is.
fn text(pointer: &*const c_char) -> Option<&str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null, and texts of a schema end with a zero byte.
    unsafe { CStr::from_ptr(*pointer) }.to_str().ok()
}

impl Array {
    /// The array that a capsule holds; `None` once it was released.
    ///
    /// # Safety
    /// As for [`Schema::from_capsule`].
    pub unsafe fn from_capsule<'a>(pointer: NonNull<Self>) -> Option<&'a Self> {
        // SAFETY: as for schemas.
        let array = unsafe { pointer.as_ref() };
        (!array.release.is_null()).then_some(array)
    }

    /// The number of values; `None` for a negative one.
    pub fn length(&self) -> Option<usize> {
        usize::try_from(self.length).ok()
    }

    /// How many values of the buffers come before the first; `None` for a negative number.
    pub fn offset(&self) -> Option<usize> {
        usize::try_from(self.offset).ok()
    }

    /// Whether there may be nulls; -1 says that nobody counted.
    pub fn may_have_nulls(&self) -> bool {
        self.null_count != 0
    }

    /// The number of children; none for a number that makes no sense.
    pub fn child_count(&self) -> usize {
        if self.children.is_null() { 0 } else { usize::try_from(self.n_children).unwrap_or(0) }
    }

    /// A child; `None` if it is missing.
    pub fn child(&self, number: usize) -> Option<&Self> {
        // SAFETY: as for schemas.
        unsafe { child(self.n_children, self.children, number) }
    }

    /// The number of buffers; none for a number that makes no sense.
    pub fn buffer_count(&self) -> usize {
        if self.buffers.is_null() { 0 } else { usize::try_from(self.n_buffers).unwrap_or(0) }
    }

    /// Where a buffer begins; `None` if it is missing.
    pub fn buffer(&self, number: usize) -> Option<NonNull<c_void>> {
        if number >= self.buffer_count() {
            return None;
        }
        // SAFETY: `n_buffers` pointers lie at `buffers`.
        NonNull::new(unsafe { self.buffers.add(number).read() }.cast_mut())
    }
}

/// # Safety
/// `count` pointers must lie at `children`, if that is not null, to structs that live as long as `'a`, or null.
unsafe fn child<'a, T>(count: i64, children: *const *const T, number: usize) -> Option<&'a T> {
    let is_there = usize::try_from(count).is_ok_and(|count| number < count) && !children.is_null();
    // SAFETY: the number is one of those that the caller vouches for.
    if is_there { unsafe { children.add(number).read().as_ref() } } else { None }
}
