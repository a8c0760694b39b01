// What Cassius in WebAssembly understands and says: the messages of its worker, and `Cassius`, which sends them.
//
// A worker (`cassius.js`) is told two kinds of messages. A string is a line of UCI, and so are the strings that it
// answers. An object is a call of the library: `{ id, call, ... }`. Its answers have the same `id`: any number of
// `{ id, progress }`, then one `{ id, result }` or `{ id, error }`.
//
// One call runs at a time; others wait for their turn, in order. `stop` never waits, and neither do `position`, `children`,
// `conspirators` and `memory`, which answer beside a search. Values are for the side to move at the position asked about, games apart:
// there they are for White. Fields have the names that the JSON of the command line has.

/** A value: centipawns, or moves to a mate that is proven (negative: to be mated), or a win or loss of any length. */
export type Score = { cp: number } | { mate: number } | "won" | "lost";

/** Chances in permille; they add up to 1000. */
export interface Chances { win: number; draw: number; loss: number }

/** Moves from a position: as people write them (`12... Nf6 13. e5`), and one by one in UCI's coordinates. */
export interface Line { san: string; uci: string[] }

/** A move in both notations. */
export interface Move { san: string; uci: string }

export type Color = "white" | "black";

/** A position: `fen`, or the initial position, and then moves, each in UCI's coordinates or in standard notation. */
export interface PositionRequest { fen?: string; moves?: string[]; chess960?: boolean }

/** How much effort a search may take; the first limit reached ends it. Without any it ends by `stop` alone, or at 100,000 nodes where a call says so. */
export interface Effort { nodes?: number; movetime?: number; depth?: number }

/** What searches have in common. `search` is a name with options as on the command line: `depth-first`, `best-first`, `alpha-beta:Evaluation=tactical`. `hash` is in MiB, 64 if it is not told, at most 128. */
export interface Search extends PositionRequest, Effort { search?: string; hash?: number }

// ---------------------------------------------------------------- position

export interface PositionResult {
    fen: string;
    side_to_move: Color;
    check: boolean;
    /** Why the game is over here, if it is. */
    over: null | "checkmate" | "stalemate" | "draw";
    /** Legal moves, with the position each leads to. Promotions are four moves. A move is expected if it recaptures or answers a check. */
    legal: (Move & { from: string; to: string; fen: string; expected: boolean })[];
    /** The moves of the request, as understood, with the position after each. */
    played: (Move & { from: string; to: string; fen: string })[];
    /** Castling rights of the FEN that the board contradicts, in words. */
    note: string | null;
}

// ---------------------------------------------------------------- verdict

/** One of the best lines. */
export interface VerdictLine {
    /** 1 for the best. */
    rank: number;
    value: Score;
    /** What the value says: as it is, at least, at most. A mate that may come sooner is a bound. */
    bound: "exact" | "lower" | "upper";
    chances: Chances;
    line: Line;
}

/** What it takes to change a value. `null` for a number or a price: that is proven not to happen. */
export type Sureness =
    /** Prices of the cheapest lines that could change it, 1 for an ordinary ply (the default search). */
    | { basis: "prices"; price_below: number | null; price_above: number | null; at_most: Score }
    /** Leaves that would have to be misjudged together (`best-first`, `depth-first-unit`). */
    | { basis: "leaves"; below: number | null; above: number | null; low: Score; high: Score; tree_size: number | null }
    /** Proof numbers of a loss and of a win (`proof-number`). */
    | { basis: "proof-numbers"; below: number | null; above: number | null };

/** What 16 times the effort is likely to change: the chance (0 to 1) that the move stays, and that the value stays within half a pawn. */
export interface Outlook { move_stays: number; value_stays: number }

export interface Verdict {
    fen: string;
    side_to_move: Color;
    search: string;
    over: PositionResult["over"];
    /** Depth, demand or conspiracy threshold, as the search has it. */
    iteration: number;
    seldepth: number;
    nodes: number;
    ms: number;
    /** How full the table is, in permille. */
    fullness: number;
    /** Empty before the first report, and where the game is over. */
    lines: VerdictLine[];
    /** Who stands better by the best line, in the words of game reports: `White better`, `Black probably winning`. */
    standing: string | null;
    /** Centipawns by which the evaluation without search may be wrong: two errors in three are smaller. */
    give_or_take: number | null;
    /** The value of the best line less and plus `give_or_take`, in centipawns; null where that is not true of a searched value: in endgames, of 0.00, and beyond ten pawns. */
    band: { low: number; high: number } | null;
    sureness: Sureness | null;
    outlook: Outlook | null;
    /** Whether `stop` ended it. In progress it is false. */
    stopped: boolean;
}

export interface VerdictRequest extends Search {
    /** Best lines to tell, 1 if it is not told. */
    lines?: number;
    /** Moves to look at; all if there are none. */
    search_moves?: string[];
    /** Begin without what earlier searches have left in the table: then the same request has the same answer. */
    clear?: boolean;
}

// ---------------------------------------------------------------- profile: what the verdict hangs on

/** A position that would have to be misjudged. `line` leads to it. */
export interface Conspirator { line: Line; value: Score; fen: string; /** Squares of the last move there, for the board. */ squares: [string, string] | [] }

/** What it takes for the value to be `target` or beyond. */
export interface Change { target: Score; /** `null`: no number will do. 0: it is worth that already. */ conspirators: number | null; names: Conspirator[] }

export interface ProfileRequest extends Search {
    /** The change asked for, in centipawns; 50 if it is not told. */
    centipawns?: number;
    /** Name the conspirators where they are no more than this; 12 if it is not told. */
    named?: number;
}

export interface ProfileResult {
    fen: string;
    side_to_move: Color;
    value: Score;
    line: Line;
    nodes: number;
    tree_size: number;
    /** For the value to be less by the change, and more by it. */
    worse: Change;
    better: Change;
    /** Everything that `cassius analyze --fen --json` tells. */
    profile: Record<string, unknown>;
    /** The same in words, as `cassius analyze --fen` prints it. */
    text: string;
    /** The tree behind it stays open under this number, as `tree` has it. */
    tree: number;
    stopped: boolean;
}

// ---------------------------------------------------------------- tree: to unfold, to grow

/** Opens a tree by best-first search and keeps it until `close`. Opening takes `nodes` positions (100,000 if not told). At most 4 are open; the one opened first is closed. */
export interface TreeRequest extends Search { centipawns?: number }

/** A node. `path` are the moves from the root, in UCI's coordinates. */
export interface TreeNode {
    path: string[];
    move: Move | null;
    value: Score;
    /** `leaf`: may be wrong; `final`: the game is over here, or known; `inner`: has children. */
    state: "leaf" | "final" | "inner";
    children: number;
    /** Nodes below it, itself included. */
    size: number;
    /** Leaves below that must be misjudged for it to be worth at least `higher`, at most `lower`; null: no number will do; 0: it is there. */
    up: number | null;
    down: number | null;
    /** Whether the way to a conspirator leads here: of the smallest set for `higher`, for `lower`. On a leaf: it is one. */
    raises: boolean;
    lowers: boolean;
    /** Whether "search here" has grown it. */
    grown: boolean;
}

export interface TreeResult {
    tree: number;
    fen: string;
    side_to_move: Color;
    value: Score;
    line: Line;
    /** Positions visited for it so far, in all. */
    nodes: number;
    /** Nodes of the tree. */
    size: number;
    threshold: number;
    /** The values that `up` and `down` ask for; null: the root is won already, or lost. */
    higher: Score | null;
    lower: Score | null;
    root: TreeNode;
    children: TreeNode[];
    stopped: boolean;
}

/**
 * Children of a node; answers at once, also while a tree grows. `up` and `down` are for a change by `centipawns` of the value of
 * the node at `of`, the root if it is not told.
 */
export interface ChildrenRequest { tree: number; path?: string[]; of?: string[]; centipawns?: number }
export interface ChildrenResult { tree: number; node: TreeNode; fen: string; children: TreeNode[]; higher: Score | null; lower: Score | null }

/** Conspirators of the open tree for a change by `centipawns` of the value of the node at `path`, or of the root; answers at once. */
export interface ConspiratorsRequest { tree: number; path?: string[]; centipawns?: number; named?: number }
export interface ConspiratorsResult { tree: number; value: Score; worse: Change; better: Change }

/** Search here: spends `nodes` more below a node. */
export interface GrowRequest { tree: number; path?: string[]; nodes?: number; movetime?: number }
export interface GrowResult extends TreeResult {
    path: string[];
    /** The nodes from the root to the one searched, with their values before and after: the verdict above has moved or it has not. */
    moved: { path: string[]; move: Move | null; before: Score; after: Score }[];
    /** The root's best line before. */
    line_before: Line;
}

// ---------------------------------------------------------------- move: is my move good?

export interface MoveRequest extends Search { clear?: boolean; /** The move, in UCI's coordinates or standard notation. */ move: string }

export interface MoveResult {
    move: Move;
    best: Move;
    /** Whether it is the move the search would play. */
    is_best: boolean;
    /** The verdicts on the position, and on the move alone: both for the side that moves. */
    verdict: Verdict;
    after: Verdict;
    /** What the move costs, not below 0: in centipawns (`null` if a mate is involved) and in points (1 for a win, 1/2 for a draw). */
    cost: { centipawns: number | null; points: number };
    /** With a limit in nodes alone, what seems a mistake or a blunder has been searched again with four times as many. */
    grade: "good" | "dubious" | "mistake" | "blunder";
    /** Why not: the line that answers it, from the move on; what the search would play otherwise is `verdict.lines[0].line`. */
    refutation: Line;
    /** How sure that is: leaves that would have to be misjudged for the move to be as good as the best one; `null`: no number will do, or it is the best one. */
    doubt: { conspirators: number | null; names: Conspirator[] } | null;
    stopped: boolean;
}

// ---------------------------------------------------------------- game

export interface GameRequest {
    /** The text of a PGN file; bytes if its encoding is to be kept. */
    pgn: string | Uint8Array;
    /** What the report calls it. */
    name?: string;
    /** For each position; 100,000 nodes if nothing is told. */
    nodes?: number;
    movetime?: number;
    depth?: number;
    search?: string;
    hash?: number;
    /** Whether bad moves are looked at again; true if it is not told. */
    second_look?: boolean;
}

export interface GameProgress {
    /** The game under way, from 1. */
    game: number;
    /** Positions done, by the effort they have taken, and in all. */
    done: number;
    of: number;
}

export interface GameResult {
    /** Header and games, as `cassius analyze --json` writes them; those that are done, if it was stopped. */
    record: { header: Record<string, unknown>; games: { info: Record<string, unknown>; rows: Record<string, unknown>[] }[] };
    /** The report: one page that needs no network. */
    html: string;
    /** The games with remarks; bytes if bytes were given; null if it was stopped. */
    pgn: string | Uint8Array | null;
    stopped: boolean;
}

export interface PuzzlesRequest { pgn: string | Uint8Array; name?: string; nodes?: number; gap?: number; hash?: number }
/** Games done, and puzzles found. */
export interface PuzzlesProgress { done: number; puzzles: number }
export interface PuzzlesResult { puzzles: number; epd: string; html: string; remarks: string[]; stopped: boolean }

// ---------------------------------------------------------------- the rest

export interface BenchRequest { search?: string; iterations?: number; nodes?: number; hash?: number }
export interface BenchResult { nodes: number; ms: number; text: string }

export interface MemoryResult { /** Bytes taken by the engine, and most it may take. */ bytes: number; most: number }

/** Why there is no result. `input`: the request is at fault, and `message` says what was expected; `memory`: it takes too much; `stopped`: `stop` came before anything was known; `fault`: the engine is at fault, and has started anew without what it kept. */
export interface Failure { kind: "input" | "memory" | "stopped" | "fault"; message: string }

export interface Calls {
    position: [PositionRequest, never, PositionResult];
    verdict: [VerdictRequest, Verdict, Verdict];
    profile: [ProfileRequest, TreeResult, ProfileResult];
    tree: [TreeRequest, TreeResult, TreeResult];
    children: [ChildrenRequest, never, ChildrenResult];
    conspirators: [ConspiratorsRequest, never, ConspiratorsResult];
    grow: [GrowRequest, TreeResult, GrowResult];
    close: [{ tree: number }, never, null];
    move: [MoveRequest, Verdict, MoveResult];
    game: [GameRequest, GameProgress, GameResult];
    puzzles: [PuzzlesRequest, PuzzlesProgress, PuzzlesResult];
    bench: [BenchRequest, { text: string }, BenchResult];
    memory: [Record<string, never>, never, MemoryResult];
}
export type Call = keyof Calls;

/** To the worker. `stop` ends the call with that id, running or waiting; without one it ends them all, and a UCI search too. */
export type Request =
    | string
    | { [C in Call]: { id: number; call: C } & Calls[C][0] }[Call]
    | { call: "stop"; id?: number }
    /** First of all, where the worker cannot fetch from beside its script (a page opened from disk): `cassius.wasm`, and `cassius.patch` for hosts without `WebAssembly.Suspending`. */
    | { call: "load"; wasm: ArrayBuffer | WebAssembly.Module; patch?: ArrayBuffer };

/** From the worker. */
export type Response =
    | string
    | { id: number; progress: unknown }
    | { id: number; result: unknown }
    | { id: number; error: Failure }
    /** The engine could not be loaded; no call will be answered. */
    | { error: Failure };

// ---------------------------------------------------------------- the client (cassius.mjs)

export interface Options<P> { progress?: (news: P) => void; /** Stops the call; its promise still resolves, with what is known by then, or rejects as `stopped`. */ signal?: AbortSignal }

export interface ClientOptions {
    /** The worker; made of `cassius.js` beside the client if it is not given. */
    worker?: Worker;
    /** `cassius.wasm`, if the worker cannot fetch it. */
    wasm?: ArrayBuffer | WebAssembly.Module;
    /** `cassius.patch` beside it, for hosts without `WebAssembly.Suspending`; others leave it alone. */
    patch?: ArrayBuffer;
}

export class CassiusError extends Error { kind: Failure["kind"] }

/** A worker with an engine, to be called. */
export class Cassius {
    constructor(options?: ClientOptions);
    call<C extends Call>(call: C, request?: Calls[C][0], options?: Options<Calls[C][1]>): Promise<Calls[C][2]>;
    /** Sends a line of UCI. */
    uci(line: string): void;
    /** Hears lines of UCI. */
    onuci: ((line: string) => void) | null;
    /** Ends everything under way, and lets the memory go. */
    terminate(): void;
}

