//! Names of the variants of enums, each written once.

/// Gives an enum `ALL`, its variants in the order they are listed to people, and `name`, what people call each.
macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// All of them, in the order they are listed to people.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The name people type or read.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }
    };
}
