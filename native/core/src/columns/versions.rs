//! The versions of a message, and which of them each row has.

use arrow_data::ArrayData;

use crate::arrow::input::Input;
use crate::outcome::{Error, Outcome};
use crate::plan::Plan;

/// A value for each of some versions. Versions are int16 and usually consecutive.
pub struct VersionMap<T> {
    lowest: i64,
    by_version: Vec<Option<T>>,
}

impl VersionMap<u32> {
    /// The layouts of some versions (`None`: all of the message). `Kind::UnknownVersion` for one that the message does not have,
    /// `Kind::Value` for none at all.
    pub fn of_plan(plan: &Plan, versions: Option<&[i64]>) -> Outcome<Self> {
        let Some(versions) = versions else {
            return Ok(VersionMap::new(&plan.roots));
        };
        if versions.is_empty() {
            return Err(Error::value("at least one version is needed"));
        }
        let layout = |version: &i64| {
            let found = plan.roots.iter().rev().find(|(known, _)| known == version);
            found.copied().ok_or_else(|| Error::unknown_version(*version))
        };
        Ok(VersionMap::new(&versions.iter().map(layout).collect::<Outcome<Vec<_>>>()?))
    }
}

impl<T: Copy> VersionMap<T> {
    fn new(pairs: &[(i64, T)]) -> Self {
        let versions = || pairs.iter().map(|(version, _)| *version);
        let (lowest, highest) = (versions().min().unwrap_or(0), versions().max().unwrap_or(-1));
        let mut by_version = vec![None; (highest - lowest + 1) as usize];
        for (version, value) in pairs {
            by_version[(version - lowest) as usize] = Some(*value);
        }
        VersionMap { lowest, by_version }
    }

    /// The value of a version.
    #[inline]
    pub fn get(&self, version: i128) -> Option<T> {
        let at = version - i128::from(self.lowest);
        *self.by_version.get(usize::try_from(at).ok()?)?
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = T> {
        self.by_version.iter().copied().flatten()
    }

    /// Maps each value by a function.
    pub fn map<U>(&self, mut make: impl FnMut(T) -> U) -> VersionMap<U> {
        let by_version = self.by_version.iter().map(|value| value.map(&mut make)).collect();
        VersionMap { lowest: self.lowest, by_version }
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

    /// Why a version that is not in the map is refused.
    #[cold]
    pub fn unexpected(&self, version: Option<i128>) -> String {
        match version {
            Some(version) => format!("unexpected version {version}; expected {}", self.list()),
            None => "the version is null".to_owned(),
        }
    }
}

/// The argument for versions: one for all rows, or an Arrow array with one for each row.
pub enum VersionArgument {
    One(i64),
    Each(ArrayData),
}

impl VersionArgument {
    /// The versions of rows. `Kind::Type` for an array of other types than integers, `Kind::Value` for one of another length.
    pub fn rows(&self, count: usize) -> Outcome<RowVersions<'_>> {
        let array = match self {
            VersionArgument::One(version) => return Ok(RowVersions::One(*version)),
            VersionArgument::Each(array) => Input::new("", array)?,
        };
        array.check_integers("versions")?;
        if array.length != count {
            let text = format!("there are {} versions for {count} values; each needs one", array.length);
            return Err(Error::value(text));
        }
        Ok(RowVersions::Each(array))
    }
}

/// The version of each row.
pub enum RowVersions<'a> {
    One(i64),
    Each(Input<'a>),
}

impl RowVersions<'_> {
    /// The version of a row; `None` for null.
    #[inline]
    pub fn get(&self, row: usize) -> Option<i128> {
        match self {
            RowVersions::One(version) => Some(i128::from(*version)),
            RowVersions::Each(array) => array.wide_int(array.place(row)?),
        }
    }
}
