//! Kafka's text form of uuids: base64url without padding, as its JSON has them (upstream: `Uuid.toString`).

/// The bytes of a uuid.
pub const SIZE: usize = 16;

/// The letters of its text.
pub const LENGTH: usize = 22;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The value of each byte as a letter; 64 for other bytes.
const VALUES: [u8; 256] = {
    let mut values = [64; 256];
    let mut at = 0;
    while at < 64 {
        values[LETTERS[at] as usize] = at as u8;
        at += 1;
    }
    values
};

/// The text of a uuid.
pub fn write(uuid: [u8; SIZE]) -> [u8; LENGTH] {
    // 22 letters have 4 bits more than a uuid; these are zero.
    let bits = u128::from_be_bytes(uuid);
    let mut text = [0; LENGTH];
    for (at, letter) in text.iter_mut().enumerate() {
        let shifted = if at + 1 < LENGTH { bits >> (122 - 6 * at) } else { bits << 4 };
        *letter = LETTERS[(shifted & 0x3F) as usize];
    }
    text
}

/// The uuid of a text; `None` for invalid text. Padding is allowed, and the additional bits of the last letter are ignored.
pub fn read(text: &[u8]) -> Option<[u8; SIZE]> {
    let text = text.strip_suffix(b"==").unwrap_or(text);
    if text.len() != LENGTH {
        return None;
    }
    let mut bits: u128 = 0;
    for (at, letter) in text.iter().enumerate() {
        let value = VALUES[usize::from(*letter)];
        if value == 64 {
            return None;
        }
        bits = if at + 1 < LENGTH { bits << 6 | u128::from(value) } else { bits << 2 | u128::from(value >> 4) };
    }
    Some(bits.to_be_bytes())
}
