//! The network compared with plain arithmetic, and its file.

use super::weights::FormatError;
use super::*;
use crate::game::Game;
use crate::games::chess::notation::parse_fen;

const FILE: &[u8] = include_bytes!("../../../../networks/default.net");

/// A middlegame position, two endings, and the positions of a fixed game.
fn positions() -> Vec<Position> {
    let mut positions: Vec<Position> = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ]
    .map(|fen| parse_fen(fen).unwrap())
    .to_vec();
    let mut position = Position::initial();
    for number in 0..80 {
        let moves = position.legal_moves();
        let Some(&m) = moves.get(number * 7 % moves.len().max(1)) else {
            break;
        };
        position.play(m);
        positions.push(position.clone());
    }
    positions
}

#[test]
fn what_is_no_network_is_refused() {
    let network = Network::from_bytes(FILE).unwrap();
    assert_eq!(network.to_bytes(), FILE);
    assert_eq!(Network::from_bytes(b""), Err(FormatError::Foreign));
    let mut foreign = FILE.to_vec();
    foreign[0] ^= 1;
    assert_eq!(Network::from_bytes(&foreign), Err(FormatError::Foreign));
    for length in [9, 31, 32, 1_000, FILE.len() - 1, FILE.len() + 1] {
        let mut bytes = FILE.to_vec();
        bytes.resize(length, 0);
        let error = Network::from_bytes(&bytes).unwrap_err();
        assert!(matches!(error, FormatError::Length { .. }), "{error}");
    }
    let fields = ["hidden", "buckets", "centipawns", "shift"];
    for (at, what) in [8, 12, 16, 20].into_iter().zip(fields) {
        let mut changed = FILE.to_vec();
        changed[at + 1] = 0xff;
        assert!(Network::from_bytes(&changed).is_err(), "{what}");
    }
    let mut wild = FILE.to_vec();
    wild[33] = 0x7f;
    assert_eq!(Network::from_bytes(&wild), Err(FormatError::Weight(0)));
}

#[test]
fn a_narrow_network_is_filled_up_with_zeros() {
    let mut narrow = Network::from_bytes(FILE).unwrap();
    narrow.hidden = HIDDEN / 2;
    let narrow = Network::from_bytes(&narrow.to_bytes()).unwrap();
    let mut wide = narrow.clone();
    wide.hidden = HIDDEN;
    let wide = Network::from_bytes(&wide.to_bytes()).unwrap();
    assert_eq!((&wide.input, wide.hidden), (&narrow.input, HIDDEN));
    assert!(wide.to_bytes().len() > narrow.to_bytes().len());
    let mut evaluations = [narrow, wide].map(|network| Learnt::new(Arc::new(network)));
    for position in positions() {
        let [narrow, wide] = evaluations.each_mut();
        assert_eq!(narrow.value(&position), wide.value(&position));
        assert_eq!(narrow.width(&position), wide.width(&position));
    }
    for units in [0, HIDDEN as u32 + 1] {
        let mut file = FILE.to_vec();
        file[8..12].copy_from_slice(&units.to_le_bytes());
        assert_eq!(Network::from_bytes(&file), Err(FormatError::Hidden(units)));
    }
}

#[test]
fn the_version_names_the_network() {
    assert_eq!(Network::embedded().checksum(), env!("CASSIUS_NETWORK"));
}

#[test]
fn mirrored_positions_are_worth_the_same() {
    let mut evaluation = Learnt::new(Network::embedded());
    for board in [
        "r1bq1rk1/ppp2ppp/2n2n2/3pp3/1b1P4/2N1PN2/PPPBBPPP/R2QK2R",
        "8/5k2/3p4/8/4P3/2K5/8/8",
        "3r4/1pk2p2/8/q7/8/4B1N1/P4PPP/5RK1",
    ] {
        let rows: Vec<&str> = board.split('/').collect();
        let files = rows.iter().map(|row| row.chars().rev().collect::<String>());
        let files = files.collect::<Vec<_>>().join("/");
        let swap = |c: char| match c.is_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        let colors: Vec<&str> = rows.iter().rev().copied().collect();
        let colors: String = colors.join("/").chars().map(swap).collect();
        let mut judge = |board: &str, turn: &str| {
            let position = parse_fen(&format!("{board} {turn} - - 0 1")).unwrap();
            (evaluation.value(&position), evaluation.width(&position))
        };
        let original = judge(board, "w");
        assert_eq!(judge(&files, "w"), original);
        assert_eq!(judge(&colors, "b"), original);
    }
}

#[test]
fn values_are_those_of_plain_arithmetic() {
    let network = Network::embedded();
    let mut evaluation = Learnt::new(Network::embedded());
    for position in positions() {
        let mut accumulators = Accumulators::new(&network);
        let views = accumulators.of(&network, &position);
        let head = &network.value;
        let bucket = bucket(position.occupied().count(), head.bias.len());
        let mut sum = 0_i64;
        for (sums, weights) in views.iter().zip(&head.weights[bucket]) {
            for (&sum_of_one, &weight) in sums.0.iter().zip(&weights.0) {
                let active = i64::from(sum_of_one).clamp(0, 255);
                sum += active * active * i64::from(weight);
            }
        }
        let output = sum / 255 + i64::from(head.bias[bucket]);
        let plain = output * i64::from(network.centipawns) / i64::from(head.unit());
        let plain = adjusted_for_endings(&position, plain as i32);
        assert_eq!(evaluation.value(&position), plain);
    }
}

#[test]
fn there_are_weights_for_any_number_of_pieces() {
    for buckets in [1, 4, 8, 31] {
        let all: Vec<usize> = (0..=64).map(|pieces| bucket(pieces, buckets)).collect();
        assert_eq!((all[2], all[32], all[64]), (0, buckets - 1, buckets - 1));
        assert!(all.is_sorted());
    }
}

/// Invalid outputs are refused without a panic.
#[test]
fn what_is_no_output_is_refused() {
    let like = Network::embedded();
    let network = |value| {
        Network::new(
            like.hidden,
            like.input.clone(),
            like.input_bias.clone(),
            value,
            like.centipawns,
            None,
        )
    };
    assert!(network(like.value.clone()).is_ok());
    let changed = |change: &dyn Fn(&mut Output)| {
        let mut value = like.value.clone();
        change(&mut value);
        assert!(value.unit() > 0);
        network(value)
    };
    assert!(changed(&|value| value.shift = u32::MAX).is_err());
    assert!(changed(&|value| value.bias.clear()).is_err());
    assert!(changed(&|value| value.weights.clear()).is_err());
}
