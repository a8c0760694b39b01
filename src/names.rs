//! Names of the variants of enums, each written once.

/// Gives an enum `ALL`, its variants in the order of lists for users, and `name`, their names.
macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// All variants, in the order of lists for users.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The name that users type or read.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }
    };
}
