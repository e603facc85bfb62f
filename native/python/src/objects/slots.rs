//! Creates and reads Python objects without running Python code: instances of generated classes, tuples and integers.
//!
//! All `unsafe` code that creates objects is here. It relies on one invariant: a [`Class`] is only created for types
//! whose instances consist of an object header followed by pointers to objects. So every slot holds such a pointer or
//! null. [`Class::new`] verifies that with an instance, and does not trust descriptors.
//!
//! The garbage collector does not track the structs and tuples that are created here. They only refer to each other and
//! to values that can't refer back, so they cannot form cycles. Tracking them would only make collections slower.
//!
//! On free-threaded interpreters, a second thread may assign to an object while it is read. So slots are read in the
//! same way as by Python's descriptors. Only new objects, which no other thread has seen, are written to.
#![allow(unsafe_code)]

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple, PyType};

/// A type whose instances consist of an object header and slots. Slots are numbered in memory order.
pub struct Class {
    class: Py<PyType>,
    /// The number of slots.
    count: usize,
    /// The slot of each attribute, by the number of the attribute.
    pub slots: Box<[usize]>,
    /// The size of an instance in bytes.
    size: usize,
}

const HEADER: usize = size_of::<ffi::PyObject>();
const POINTER: usize = size_of::<*mut ffi::PyObject>();

impl Class {
    /// Find the slots of `attributes`, which must be all attributes of the class's instances. Raises `ValueError` for
    /// any other class.
    pub fn new(class: &Bound<'_, PyType>, attributes: &[&str]) -> PyResult<Class> {
        let refuse = |what: &str| Err(PyValueError::new_err(format!("{} {what}", class.name()?)));
        let raw = class.as_type_ptr();
        // SAFETY: `raw` is a ready type, which `class` keeps alive. Only the flags of a ready type can change, and the
        // function that reads them handles that.
        let (flags, size, item_size, weak_references) = unsafe {
            (
                ffi::PyType_GetFlags(raw),
                (*raw).tp_basicsize,
                (*raw).tp_itemsize,
                (*raw).tp_weaklistoffset,
            )
        };
        let object = class.py().get_type::<PyAny>();
        let needed = ffi::Py_TPFLAGS_HEAPTYPE | ffi::Py_TPFLAGS_HAVE_GC;
        let made_as_usual =
            class.getattr("__new__")?.is(&object.getattr("__new__")?) && flags & needed == needed && item_size == 0;
        let slots_end = HEADER + POINTER * attributes.len();
        // uuid.UUID, unlike our classes, keeps a list of weak references: after its slots or, since Python 3.12, before
        // the header.
        let end = match (usize::try_from(size), usize::try_from(weak_references)) {
            (Ok(size), Ok(0) | Err(_)) => size,
            (Ok(size), Ok(list)) if list + POINTER == size => list,
            _ => 0,
        };
        if !made_as_usual || end != slots_end {
            return refuse("has other contents than the slots of its fields");
        }
        let (count, size) = (attributes.len(), size.cast_unsigned());
        let mut made = Class {
            class: class.clone().unbind(),
            count,
            slots: Box::default(),
            size,
        };
        let mut slots = Vec::with_capacity(count);
        for attribute in attributes {
            match made.find(class.py(), attribute)? {
                Some(slot) if !slots.contains(&slot) => slots.push(slot),
                _ => return refuse(&format!("has no slot {attribute}")),
            }
        }
        made.slots = slots.into();
        Ok(made)
    }

    /// Assign a marker object to an attribute of a new instance, and find the slot that contains it.
    fn find(&self, py: Python<'_>, attribute: &str) -> PyResult<Option<usize>> {
        let instance = self.instantiate(py)?;
        let mark = PyList::empty(py).into_any();
        py.get_type::<PyAny>()
            .call_method1("__setattr__", (&instance.object, attribute, &mark))?;
        Ok((0..self.count).find(|slot| instance.as_view().get(*slot).is_some_and(|held| held.is(&mark))))
    }

    /// Wrap a subclass that adds nothing to instances. Raises `ValueError` for any other class.
    pub fn subclass(&self, class: &Bound<'_, PyType>) -> PyResult<Class> {
        let (raw, base) = (class.as_type_ptr(), self.class.as_ptr().cast::<ffi::PyTypeObject>());
        // SAFETY: both are ready types, which `class` and `self.class` keep alive.
        let same = unsafe {
            (*raw).tp_base == base
                && (*raw).tp_basicsize == (*base).tp_basicsize
                && (*raw).tp_itemsize == (*base).tp_itemsize
                && (*raw).tp_weaklistoffset == (*base).tp_weaklistoffset
                && (*raw).tp_dictoffset == (*base).tp_dictoffset
                && ffi::PyType_GetFlags(raw) & ffi::Py_TPFLAGS_HAVE_GC != 0
        };
        if !same {
            return Err(PyValueError::new_err(format!(
                "{} adds something to its instances",
                class.name()?
            )));
        }
        Ok(Class {
            class: class.clone().unbind(),
            count: self.count,
            slots: self.slots.clone(),
            size: self.size,
        })
    }

    /// Create an instance with empty slots; `__init__` is not called.
    #[inline]
    pub fn instantiate<'py>(&self, py: Python<'py>) -> PyResult<Instance<'py>> {
        let raw = self.class.as_ptr().cast::<ffi::PyTypeObject>();
        // SAFETY: `self.class` keeps the heap type alive. Its instances are allocated with a header for the garbage
        // collector and `size` bytes. They are new and untracked, so no other code sees them before the slots, and any
        // bytes after these, are null.
        let object = unsafe {
            let object = Bound::from_owned_ptr_or_err(py, ffi::PyObject_GC_New(raw))?;
            object
                .as_ptr()
                .cast::<u8>()
                .add(HEADER)
                .write_bytes(0, self.size - HEADER);
            object
        };
        Ok(Instance {
            object,
            count: self.count,
        })
    }

    /// Convert an instance of this class to `plain`. This class must be a subclass of `plain` that adds nothing to
    /// instances.
    pub fn turn(&self, object: &Bound<'_, PyAny>, plain: &Class) {
        if self.view(object).is_none() || self.size != plain.size {
            return;
        }
        // SAFETY: the check above shows that the object is an instance of this class. Instances of both classes have
        // the same memory layout and are freed in the same way. The interpreter's lock is held. An instance owns a
        // reference to its class.
        unsafe {
            let class = plain.class.as_ptr();
            ffi::Py_INCREF(class);
            (*object.as_ptr()).ob_type = class.cast();
            ffi::Py_DECREF(self.class.as_ptr());
        }
    }

    /// Return the slots of an object if it is of exactly this class.
    #[inline]
    pub fn view<'a, 'py>(&self, object: &'a Bound<'py, PyAny>) -> Option<View<'a, 'py>> {
        let exact = object.get_type_ptr().cast::<ffi::PyObject>() == self.class.as_ptr();
        exact.then_some(View {
            object,
            count: self.count,
        })
    }

    /// Return the Python class, for the garbage collector.
    pub fn class(&self) -> &Py<PyType> {
        &self.class
    }
}

/// A new object whose slots are being filled. It is freed correctly even if it is dropped half filled.
pub struct Instance<'py> {
    object: Bound<'py, PyAny>,
    count: usize,
}

impl<'py> Instance<'py> {
    /// Set a slot, and release its old value.
    #[inline]
    pub fn set(&self, slot: usize, value: Bound<'py, PyAny>) {
        self.as_view().set(slot, Some(value));
    }

    /// Return the slots of the object.
    #[inline]
    pub fn as_view(&self) -> View<'_, 'py> {
        View {
            object: &self.object,
            count: self.count,
        }
    }

    /// Return the finished object.
    pub fn finish(self) -> Bound<'py, PyAny> {
        self.object
    }
}

/// The slots of a complete object.
#[derive(Clone, Copy)]
pub struct View<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    count: usize,
}

impl<'py> View<'_, 'py> {
    /// Return the value of a slot; `None` if it was never set.
    #[cfg(not(Py_GIL_DISABLED))]
    #[inline]
    pub fn get(&self, slot: usize) -> Option<Bound<'py, PyAny>> {
        let place = self.place(slot);
        // SAFETY: as in `set`. A new reference keeps the value alive, even if Python replaces it in the slot.
        unsafe { Bound::from_borrowed_ptr_or_opt(self.object.py(), place.read()) }
    }

    /// Return the value of a slot; `None` if it was never set. Another thread may replace and free the value, so it is
    /// read as the slot's descriptor reads it: the result is the value either before or after the assignment.
    #[cfg(Py_GIL_DISABLED)]
    pub fn get(&self, slot: usize) -> Option<Bound<'py, PyAny>> {
        assert!(slot < self.count, "a slot of another class");
        let (name, offset) = (c"slot".as_ptr(), (HEADER + POINTER * slot) as ffi::Py_ssize_t);
        let mut member = ffi::PyMemberDef {
            name,
            type_code: ffi::Py_T_OBJECT_EX,
            offset,
            ..Default::default()
        };
        let object = self.object.as_ptr().cast();
        // SAFETY: by the invariant of `Class`, `member` describes the offset of a pointer to an owned object, or of
        // null. The result is a new reference, or null with an AttributeError set.
        unsafe {
            let value = Bound::from_owned_ptr_or_opt(self.object.py(), ffi::PyMember_GetOne(object, &raw mut member));
            if value.is_none() {
                ffi::PyErr_Clear();
            }
            value
        }
    }

    /// Set or clear a slot, and release its old value.
    #[inline]
    pub fn set(&self, slot: usize, value: Option<Bound<'py, PyAny>>) {
        let place = self.place(slot);
        // SAFETY: by the invariant of `Class`, `place` contains a pointer to an owned object, or null. Either the
        // interpreter's lock is held, or the object is new. The old value is only released after the new value is in
        // its place.
        unsafe {
            let old = place.replace(value.map_or(std::ptr::null_mut(), Bound::into_ptr));
            ffi::Py_XDECREF(old);
        }
    }

    /// Return the object as an instance that can be filled again.
    pub fn to_instance(self) -> Instance<'py> {
        Instance {
            object: self.object.clone(),
            count: self.count,
        }
    }

    /// Return the object.
    pub fn object(&self) -> &Bound<'py, PyAny> {
        self.object
    }

    #[inline]
    fn place(&self, slot: usize) -> *mut *mut ffi::PyObject {
        assert!(slot < self.count, "a slot of another class");
        // SAFETY: `count` pointer-sized slots follow the header of the object.
        unsafe { self.object.as_ptr().byte_add(HEADER + POINTER * slot).cast() }
    }
}

/// A tuple that is filled from the left. It is freed correctly even if it is dropped before it is full.
pub struct TupleBuilder<'py> {
    tuple: Bound<'py, PyTuple>,
    length: usize,
    filled: usize,
}

impl<'py> TupleBuilder<'py> {
    /// Create a tuple of `length` elements. The caller must have checked the length against the limits.
    pub fn new(py: Python<'py>, length: usize) -> PyResult<Self> {
        // SAFETY: the result is a new reference, or null with an exception set. It is untracked before Python code
        // could see it half filled. The empty tuple is shared and stays unchanged.
        let tuple = unsafe {
            let raw = ffi::PyTuple_New(ffi::Py_ssize_t::try_from(length)?);
            let tuple = Bound::from_owned_ptr_or_err(py, raw)?;
            if length > 0 {
                ffi::PyObject_GC_UnTrack(raw.cast());
            }
            tuple.cast_into_unchecked()
        };
        Ok(TupleBuilder {
            tuple,
            length,
            filled: 0,
        })
    }

    /// Append an element; the tuple must have room.
    #[inline]
    pub fn push(&mut self, value: Bound<'py, PyAny>) {
        assert!(self.filled < self.length, "a tuple is full");
        // SAFETY: the index is within the tuple, which no other code has seen, and the element is still null.
        unsafe { ffi::PyTuple_SET_ITEM(self.tuple.as_ptr(), self.filled as ffi::Py_ssize_t, value.into_ptr()) };
        self.filled += 1;
    }

    /// Return the full tuple.
    pub fn finish(self) -> Bound<'py, PyTuple> {
        assert!(self.filled == self.length, "a tuple has gaps");
        self.tuple
    }
}

/// Disables the garbage collector, and thus Python code that it might run, until this value is dropped.
pub struct Uncollected(bool);

impl Uncollected {
    /// Disable the garbage collector. This does nothing on free-threaded builds, whose collector only runs between
    /// Python instructions.
    #[inline]
    pub fn new(_py: Python<'_>) -> Self {
        if cfg!(Py_GIL_DISABLED) {
            return Uncollected(false);
        }
        // SAFETY: the call sets a flag of the interpreter, and this thread is attached to it.
        Uncollected(unsafe { ffi::PyGC_Disable() } != 0)
    }
}

impl Drop for Uncollected {
    #[inline]
    fn drop(&mut self) {
        if self.0 {
            // SAFETY: as in `new`. In this crate, a value created with a `Python` token does not outlive the token.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// Return the value of an int or of an instance of a subclass; `None` for other objects, and for values beyond 64 bits.
#[inline]
pub fn as_int(value: &Bound<'_, PyAny>) -> Option<i64> {
    let value = value.cast::<PyInt>().ok()?;
    let mut overflow = 0;
    // SAFETY: the object is an int or an instance of a subclass, so the call can only fail by overflow.
    let number = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(number)
}
