//! Kafka's text form of uuids: base64url without padding, as in Kafka's JSON (upstream: `Uuid.toString`).

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

/// The size of a uuid in bytes.
pub const SIZE: usize = 16;

/// The number of characters in the text form of a uuid.
pub const LENGTH: usize = 22;

/// 22 characters have 4 bits more than a uuid. These bits are ignored, as in Java.
const FORM: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));

/// Return the text form of a uuid.
pub fn write(uuid: [u8; SIZE]) -> [u8; LENGTH] {
    let mut text = [0; LENGTH];
    let written = FORM.encode_slice(uuid, &mut text);
    debug_assert_eq!(written, Ok(LENGTH));
    text
}

/// Parse the text form of a uuid; return `None` for invalid text. Padding is allowed.
pub fn read(text: &[u8]) -> Option<[u8; SIZE]> {
    let mut uuid = [0; SIZE];
    let text = text.strip_suffix(b"==").unwrap_or(text);
    (FORM.decode_slice(text, &mut uuid) == Ok(SIZE)).then_some(uuid)
}
