//! The versions of a message, and which of them each row has.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use super::ffi::Import;
use super::input::Input;
use crate::plan::Plan;

/// Something for each of some versions, quick to look up; versions are int16 and mostly near each other.
pub struct Known<T> {
    lowest: i64,
    by_version: Vec<Option<T>>,
}

impl Known<u32> {
    /// The layouts of some versions (`None`: all of the message). `KeyError` for one that the message does not have,
    /// `ValueError` for none at all.
    pub fn of_plan(plan: &Plan, versions: Option<&[i64]>) -> PyResult<Self> {
        let Some(versions) = versions else {
            return Ok(Known::new(&plan.roots));
        };
        if versions.is_empty() {
            return Err(PyValueError::new_err("at least one version is needed"));
        }
        let layout = |version: &i64| {
            let found = plan.roots.iter().rev().find(|(known, _)| known == version);
            found.copied().ok_or_else(|| PyKeyError::new_err(*version))
        };
        Ok(Known::new(&versions.iter().map(layout).collect::<PyResult<Vec<_>>>()?))
    }
}

impl<T: Copy> Known<T> {
    fn new(pairs: &[(i64, T)]) -> Self {
        let versions = || pairs.iter().map(|(version, _)| *version);
        let (lowest, highest) = (versions().min().unwrap_or(0), versions().max().unwrap_or(-1));
        let mut by_version = vec![None; (highest - lowest + 1) as usize];
        for (version, value) in pairs {
            by_version[(version - lowest) as usize] = Some(*value);
        }
        Known { lowest, by_version }
    }

    /// What there is for a version.
    #[inline]
    pub fn get(&self, version: i64) -> Option<T> {
        let at = version.checked_sub(self.lowest)?;
        *self.by_version.get(usize::try_from(at).ok()?)?
    }

    /// Everything.
    pub fn values(&self) -> impl Iterator<Item = T> {
        self.by_version.iter().copied().flatten()
    }

    /// The same for each version, made by a function.
    pub fn map<U>(&self, mut make: impl FnMut(T) -> U) -> Known<U> {
        let by_version = self.by_version.iter().map(|value| value.map(&mut make)).collect();
        Known { lowest: self.lowest, by_version }
    }

    /// The same for each version, made by a function that may fail.
    pub fn try_map<U>(&self, mut make: impl FnMut(T) -> PyResult<U>) -> PyResult<Known<U>> {
        let by_version =
            self.by_version.iter().map(|value| value.map(&mut make).transpose()).collect::<PyResult<_>>()?;
        Ok(Known { lowest: self.lowest, by_version })
    }

    /// The versions as text: `0 to 3, 5`.
    fn list(&self) -> String {
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for (at, value) in self.by_version.iter().enumerate() {
            let version = self.lowest + at as i64;
            match ranges.last_mut() {
                _ if value.is_none() => (),
                Some((_, last)) if *last == version - 1 => *last = version,
                _ => ranges.push((version, version)),
            }
        }
        let text = |(first, last): &(i64, i64)| {
            if first == last { first.to_string() } else { format!("{first} to {last}") }
        };
        ranges.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    /// What is wrong with a version that is not among these.
    #[cold]
    pub fn refusal(&self, version: Option<i64>) -> String {
        match version {
            Some(version) => format!("version {version} is none of those that were expected: {}", self.list()),
            None => "the version is null".to_owned(),
        }
    }
}

/// What Python gave as the version of all rows or of each.
pub enum Asked<'py> {
    One(i64),
    Each(Import<'py>),
}

impl<'py> Asked<'py> {
    /// A number, or an Arrow array. `TypeError` for anything else.
    pub fn new(version: &Bound<'py, PyAny>) -> PyResult<Self> {
        if version.hasattr("__arrow_c_array__")? {
            Import::new(version).map(Asked::Each)
        } else {
            version.extract().map(Asked::One)
        }
    }

    /// The version of each of so many rows. `TypeError` for an array of other things than integers, `ValueError` for one
    /// of another length.
    pub fn rows(&self, count: usize) -> PyResult<Versions<'_>> {
        let array = match self {
            Asked::One(version) => return Ok(Versions::One(*version)),
            Asked::Each(array) => array.input()?,
        };
        array.check_integers("versions")?;
        if array.length() != count {
            let text = format!("there are {} versions for {count} values; each needs one", array.length());
            return Err(PyValueError::new_err(text));
        }
        Ok(Versions::Each(array))
    }
}

/// The version of each row.
pub enum Versions<'a> {
    One(i64),
    Each(Input<'a>),
}

impl Versions<'_> {
    /// The version of a row; `None` for null.
    #[inline]
    pub fn get(&self, row: usize) -> Option<i64> {
        match self {
            Versions::One(version) => Some(*version),
            Versions::Each(array) => array.int(array.place(row)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Known;

    #[test]
    fn versions_are_found_and_told() {
        let known = Known::new(&[(3, 'a'), (4, 'b'), (7, 'c')]);
        assert_eq!(
            [2, 3, 4, 5, 7, 8, i64::MIN, i64::MAX].map(|version| known.get(version)),
            [None, Some('a'), Some('b'), None, Some('c'), None, None, None]
        );
        assert_eq!(known.list(), "3 to 4, 7");
        assert_eq!(known.map(|letter| letter == 'b').get(4), Some(true));
    }
}
