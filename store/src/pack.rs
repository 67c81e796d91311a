//! Payloads packed: zstd with a dictionary of typical text, so that even a short one gets small.
//!
//! A packed payload is one zstd frame, at level 3, without its first four bytes, which are always the same. The frame tells its length when unpacked,
//! and has neither a checksum (the record has one) nor the id of its dictionary: the record has a number for that.
//!
//! The dictionaries lie in `store/dictionaries`. Number 1 was trained on the commits of 660 matches of four games. A dictionary that
//! was ever released never changes, or what was packed with it is lost: better ones get numbers of their own.

use std::cell::RefCell;
use std::sync::LazyLock;

use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe;

use crate::error::ReadError;
use crate::write::Write;

/// The dictionary that is used for what is packed now.
pub(crate) const DICTIONARY: u8 = 1;
/// Payloads below this are not worth the time.
const FROM: usize = 64;
const LEVEL: i32 = 3;
/// How every frame begins.
const MAGIC: [u8; 4] = zstd_safe::MAGICNUMBER.to_le_bytes();

static BYTES: &[u8] = include_bytes!("../dictionaries/1.zdict");
static ENCODER: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(BYTES, LEVEL));
static DECODER: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(BYTES));

thread_local! {
    /// Each thread keeps its own: to make them costs more than to use them. None where there is no memory for one.
    static PACKER: RefCell<Option<Compressor<'static>>> = RefCell::new(packer());
    static UNPACKER: RefCell<Option<Decompressor<'static>>> =
        RefCell::new(Decompressor::with_prepared_dictionary(&DECODER).ok());
}

fn packer() -> Option<Compressor<'static>> {
    let mut packer = Compressor::with_prepared_dictionary(&ENCODER).ok()?;
    packer.include_checksum(false).ok()?;
    packer.include_dictid(false).ok()?;
    Some(packer)
}

/// The bytes packed, where that saves at least an eighth.
pub(crate) fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < FROM {
        return None;
    }
    let frame = PACKER.with_borrow_mut(|packer| packer.as_mut()?.compress(bytes).ok())?;
    let packed = frame.strip_prefix(&MAGIC)?;
    (packed.len() < bytes.len() - bytes.len() / 8).then(|| packed.to_vec())
}

/// What was packed with this dictionary.
pub(crate) fn unpack(packed: &[u8], dictionary: u8) -> Result<Vec<u8>, ReadError> {
    if dictionary > DICTIONARY {
        return Err(ReadError::Newer(format!("a record needs dictionary {dictionary}")));
    }
    if dictionary != DICTIONARY {
        return Err(ReadError::Damaged(format!("there is no dictionary {dictionary}")));
    }
    let frame = [&MAGIC, packed].concat();
    let length = zstd_safe::get_frame_content_size(&frame).ok().flatten();
    let length = length.and_then(|length| usize::try_from(length).ok());
    let length = length.filter(|length| *length <= Write::VALUE_BYTES).ok_or_else(|| {
        ReadError::Damaged("a record cannot be unpacked: its length is not known".to_owned())
    })?;
    UNPACKER.with_borrow_mut(|unpacker| match unpacker {
        Some(unpacker) => unpacker
            .decompress(&frame, length)
            .map_err(|error| ReadError::Damaged(format!("a record cannot be unpacked: {error}"))),
        None => Err(ReadError::GaveUp("no memory to unpack a record".to_owned())),
    })
}

/// What older programs packed.
pub(crate) fn unpack_lz4(packed: &[u8], length: u32) -> Result<Vec<u8>, ReadError> {
    let length = usize::try_from(length).expect("a usize has at least 32 bits where sled runs");
    lz4_flex::block::decompress(packed, length)
        .map_err(|error| ReadError::Damaged(format!("a record cannot be unpacked: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_whatever_it_is() {
        let text = br#"{"command":null,"commit":1,"events":[],"first_version":1}"#.repeat(3);
        for bytes in [text.clone(), text.repeat(400), vec![0; 100_000], vec![0; 64]] {
            let packed = pack(&bytes).expect("it gets smaller");
            assert_eq!(unpack(&packed, DICTIONARY).expect("it is whole"), bytes);
            unpack(&packed[..packed.len() - 1], DICTIONARY).expect_err("it is cut off");
            assert!(matches!(unpack(&packed, 0), Err(ReadError::Damaged(_))), "it never was");
            assert!(matches!(unpack(&packed, 2), Err(ReadError::Newer(_))), "it is not yet");
        }
        assert_eq!(pack(&text[..63]), None);
        let random: Vec<u8> =
            (0..600_u32).flat_map(|n| crc32fast::hash(&n.to_be_bytes()).to_be_bytes()).collect();
        assert_eq!(pack(&random), None);
    }

    #[test]
    fn a_frame_that_claims_to_be_huge_takes_no_memory() {
        // A frame header: one segment, a length of eight bytes.
        let bomb = [&[0xe0], [0xff; 8].as_slice(), &[1, 0, 0]].concat();
        unpack(&bomb, DICTIONARY).expect_err("no record is that long");
    }

    #[test]
    fn what_older_programs_packed_is_unpacked() {
        let text = b"one and one and one and one and one and one".as_slice();
        let packed = lz4_flex::block::compress(text);
        assert_eq!(unpack_lz4(&packed, text.len() as u32).expect("it is whole"), text);
    }
}
