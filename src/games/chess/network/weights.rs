//! Weights of a network, and their file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use anyhow::Context as _;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Inputs for either side: each kind of piece, own and opponent's, on each square.
pub const INPUTS: usize = 2 * 6 * 64;
/// Most units of the hidden layer, for either side. A network that has fewer is filled up with zeros.
pub const HIDDEN: usize = 256;
/// One side's accumulator: the hidden layer before activation, in 255ths.
///
/// Aligned to a cache line, so that no vector straddles two.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Sums(pub [i16; HIDDEN]);

/// Integer that stands for an activation of 1.
pub const ACTIVE: i32 = 255;
/// Integer that stands for an output weight of 1, before any shift.
pub const OUTPUT_UNIT: i32 = 64;
/// Largest absolute output weight: times [`ACTIVE`] it fits 16 bits.
pub const MOST_OUTPUT_WEIGHT: u16 = 127;
/// Largest absolute number of the first layer: the sum of 32 pieces and the bias fits 16 bits.
const MOST_INPUT_WEIGHT: u16 = 900;
/// Largest absolute bias of an output.
const MOST_BIAS: u32 = 1 << 28;
/// Largest shift: the bits by which output weights are finer than [`OUTPUT_UNIT`].
pub const MOST_SHIFT: u32 = 8;
/// Number of possible piece counts, 2 to 32.
const PIECE_COUNTS: usize = 31;
/// Most buckets of an output.
const MOST_BUCKETS: u32 = 32;
/// First bytes of a network's file.
const SIGNATURE: &[u8; 8] = b"CASSNET1";
/// Digits of a checksum that are shown.
const CHECKSUM_DIGITS: usize = 12;

/// The network built into the program.
static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    // `build.rs` sets the path.
    let bytes = include_bytes!(env!("CASSIUS_NETWORK_FILE"));
    let network = Network::from_bytes(bytes);
    Arc::new(network.unwrap_or_else(|error| unreachable!("the network in the program: {error}")))
});

/// The reason why bytes are not a network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    /// Another kind of file.
    #[error("not a network of Cassius: it does not begin with {}", SIGNATURE.escape_ascii())]
    Foreign,
    /// No hidden layer, or one that is too large.
    #[error(
        "expected a network with a hidden layer of 1 to {HIDDEN}, found one of {0}; use a network made for this version"
    )]
    Hidden(u32),
    /// An impossible number in the header.
    #[error("damaged: its header gives {1} as the {0}")]
    Header(&'static str, u32),
    /// Too short or too long, in bytes.
    #[error("damaged: {found} bytes long instead of {expected}")]
    Length { expected: usize, found: usize },
    /// A floating-point number that is not finite.
    #[error("a weight is not finite, as after training at too high a rate; try a lower one")]
    NotFinite,
    /// A weight out of range: its index, from 0, in the order of the file.
    #[error("damaged: weight {0} is out of range")]
    Weight(usize),
}

/// An output of the network: a weighted sum of the activations, with weights chosen by the number of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// For each bucket the weights of the own activations, then of the opponent's.
    pub weights: Vec<[Sums; 2]>,
    /// One bias for each bucket, in units of the output.
    pub bias: Vec<i32>,
    /// Bits by which its weights are finer than a 64th, at most [`MOST_SHIFT`].
    pub shift: u32,
}

impl Output {
    /// Integer that stands for an output of 1.
    #[inline]
    pub fn unit(&self) -> i32 {
        (ACTIVE * OUTPUT_UNIT) << self.shift.min(MOST_SHIFT)
    }
}

/// The weights of a network; they never change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// Units of the hidden layer, at most [`HIDDEN`]; the weights of those beyond are 0.
    pub hidden: usize,
    /// Weights from each input to the hidden layer.
    pub input: Vec<Sums>,
    /// Biases of the hidden layer.
    pub input_bias: Sums,
    /// The value output: an output of 1 multiplies the odds by e.
    pub value: Output,
    /// Centipawns for an output of 1.
    pub centipawns: i32,
    /// The output for the natural logarithm of the error's width in centipawns, if the network has one.
    pub scale: Option<Output>,
    checksum: String,
}

impl Network {
    /// The network built into the program.
    pub fn embedded() -> Arc<Network> {
        Arc::clone(&EMBEDDED)
    }

    /// Makes a network of these weights.
    ///
    /// # Errors
    /// If one of them is out of range.
    pub fn new(
        hidden: usize,
        input: Vec<Sums>,
        input_bias: Sums,
        value: Output,
        centipawns: i32,
        scale: Option<Output>,
    ) -> Result<Network, FormatError> {
        let network = Network {
            hidden,
            input,
            input_bias,
            value,
            centipawns,
            scale,
            checksum: String::new(),
        };
        Network::from_bytes(&network.to_bytes())
    }

    /// Reads a network from a file.
    pub fn open(path: &Path) -> anyhow::Result<Network> {
        let bytes = read(path).with_context(|| path.display().to_string())?;
        Network::from_bytes(&bytes).with_context(|| path.display().to_string())
    }

    /// Reads a network: the signature, then as little-endian numbers of 32 bits the size of the hidden layer, the
    /// number of buckets, the centipawns for an output of 1, the shift of the value, 1 or 0 for whether there is a
    /// scale, and its shift; then the input weights and the biases of the hidden layer in 16 bits each; then for the
    /// value and the scale the weights in 16 bits and the biases in 32. An output's weight is a 64th, or finer by its
    /// shift.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, FormatError> {
        let rest = bytes.strip_prefix(SIGNATURE).ok_or(FormatError::Foreign)?;
        let wrong_length = |expected| FormatError::Length {
            expected,
            found: bytes.len(),
        };
        let (header, rest) = rest
            .split_first_chunk()
            .ok_or(wrong_length(SIGNATURE.len() + NetworkHeader::BYTES))?;
        let header = NetworkHeader::read(header)?;
        if bytes.len() != header.length() {
            return Err(wrong_length(header.length()));
        }
        let mut reader = Reader {
            rest,
            hidden: header.hidden,
            weights: 0,
        };
        let input = (0..INPUTS).map(|_| reader.sums(MOST_INPUT_WEIGHT));
        let input = input.collect::<Result<_, _>>()?;
        let input_bias = reader.sums(MOST_INPUT_WEIGHT)?;
        let value = reader.output(header.buckets, header.value_shift)?;
        let scale = header.scale_shift;
        let scale = scale.map(|shift| reader.output(header.buckets, shift));
        Ok(Network {
            hidden: header.hidden,
            input,
            input_bias,
            value,
            centipawns: header.centipawns,
            scale: scale.transpose()?,
            checksum: checksum(bytes),
        })
    }

    /// Writes the network in the format of [`Network::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let scale_shift = self.scale.as_ref().map(|scale| scale.shift);
        let header = [
            self.hidden as u32,
            self.value.bias.len() as u32,
            self.centipawns as u32,
            self.value.shift,
            u32::from(self.scale.is_some()),
            scale_shift.unwrap_or(0),
        ];
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend(header.iter().flat_map(|number| number.to_le_bytes()));
        for row in self.input.iter().chain([&self.input_bias]) {
            let row = row.0.iter().take(self.hidden);
            bytes.extend(row.flat_map(|weight| weight.to_le_bytes()));
        }
        for output in [&self.value].into_iter().chain(&self.scale) {
            let rows = output.weights.iter().flatten();
            let weights = rows.flat_map(|row| row.0.iter().take(self.hidden));
            bytes.extend(weights.flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(output.bias.iter().flat_map(|bias| bias.to_le_bytes()));
        }
        bytes
    }

    /// The first digits of its file's SHA-256.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }
}

/// Reads at most one byte more of a file than a network can have.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe would be waited for.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other(
            "is no regular file; give the file of a network",
        ));
    }
    let longest = NetworkHeader {
        hidden: HIDDEN,
        buckets: MOST_BUCKETS as usize,
        centipawns: 1,
        value_shift: 0,
        scale_shift: Some(0),
    };
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(longest.length() as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The first digits of the bytes' SHA-256: enough to tell files apart.
pub fn checksum(bytes: &[u8]) -> String {
    let mut text = sha256(bytes);
    text.truncate(CHECKSUM_DIGITS);
    text
}

/// The SHA-256 of the bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let digits = Sha256::digest(bytes);
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bucket, from 0, of a position with `pieces` pieces, of `buckets` (at least one): more pieces, higher index.
#[inline]
pub fn bucket(pieces: usize, buckets: usize) -> usize {
    (pieces.saturating_sub(2) * buckets / PIECE_COUNTS).min(buckets.saturating_sub(1))
}

/// The header, after the signature.
struct NetworkHeader {
    hidden: usize,
    buckets: usize,
    centipawns: i32,
    value_shift: u32,
    scale_shift: Option<u32>,
}

impl NetworkHeader {
    /// Six numbers of 32 bits.
    const BYTES: usize = 6 * 4;

    fn read(bytes: &[u8; NetworkHeader::BYTES]) -> Result<NetworkHeader, FormatError> {
        let mut numbers = bytes.as_chunks::<4>().0.iter().copied();
        let mut number = || numbers.next().map_or(0, u32::from_le_bytes);
        let (hidden, buckets, centipawns) = (number(), number(), number());
        let (value_shift, has_scale, scale_shift) = (number(), number(), number());
        if !(1..=HIDDEN as u32).contains(&hidden) {
            return Err(FormatError::Hidden(hidden));
        }
        let within = |what, found, least, most| {
            if (least..=most).contains(&found) {
                Ok(found)
            } else {
                Err(FormatError::Header(what, found))
            }
        };
        within("number of buckets", buckets, 1, MOST_BUCKETS)?;
        within("size of a value in centipawns", centipawns, 1, 10_000)?;
        within("shift of the value", value_shift, 0, MOST_SHIFT)?;
        within("flag for a scale", has_scale, 0, 1)?;
        within("shift of the scale", scale_shift, 0, MOST_SHIFT)?;
        Ok(NetworkHeader {
            hidden: hidden as usize,
            buckets: buckets as usize,
            centipawns: centipawns as i32,
            value_shift,
            scale_shift: (has_scale == 1).then_some(scale_shift),
        })
    }

    /// Length of the whole file, in bytes.
    fn length(&self) -> usize {
        let output = self.buckets * (2 * self.hidden * 2 + 4);
        let outputs = 1 + usize::from(self.scale_shift.is_some());
        SIGNATURE.len() + NetworkHeader::BYTES + (INPUTS + 1) * self.hidden * 2 + outputs * output
    }
}

/// The unread part of a file.
struct Reader<'a> {
    rest: &'a [u8],
    /// Units of the hidden layer.
    hidden: usize,
    /// Weights read so far.
    weights: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let taken = self.rest.split_first_chunk();
        let (first, rest) = taken.expect("a file as long as its header says");
        self.rest = rest;
        *first
    }

    /// Reads a row of weights, none larger than `most` in absolute value.
    fn sums(&mut self, most: u16) -> Result<Sums, FormatError> {
        let mut sums = Sums([0; HIDDEN]);
        for weight in sums.0.iter_mut().take(self.hidden) {
            *weight = i16::from_le_bytes(self.take());
            if weight.unsigned_abs() > most {
                return Err(FormatError::Weight(self.weights));
            }
            self.weights += 1;
        }
        Ok(sums)
    }

    fn output(&mut self, buckets: usize, shift: u32) -> Result<Output, FormatError> {
        let mut row = || self.sums(MOST_OUTPUT_WEIGHT);
        let weights = (0..buckets).map(|_| Ok([row()?, row()?]));
        let weights = weights.collect::<Result<_, _>>()?;
        let mut bias = Vec::with_capacity(buckets);
        for _ in 0..buckets {
            let number = i32::from_le_bytes(self.take());
            if number.unsigned_abs() > MOST_BIAS {
                return Err(FormatError::Weight(self.weights));
            }
            bias.push(number);
            self.weights += 1;
        }
        Ok(Output {
            weights,
            bias,
            shift,
        })
    }
}
