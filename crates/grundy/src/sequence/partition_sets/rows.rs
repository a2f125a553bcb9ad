//! Questions about all pairs of a row of values and one read backwards, many at once.

use super::CHUNK;

/// Defines a function of two slices, the second read backwards, that is compiled for wider registers too.
macro_rules! backwards {
    ($(#[$doc:meta])* $name:ident, $wide:ident, $plain:ident,
     |$forward:ident, $backward:ident $(, $more:ident: $t:ty)*| -> $out:ty $body:block) => {
        $(#[$doc])*
        pub(super) fn $name($forward: &[i32], $backward: &[i32] $(, $more: $t)*) -> $out {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: AVX2 is there.
                return unsafe { $wide($forward, $backward $(, $more)*) };
            }
            $plain($forward, $backward $(, $more)*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $wide($forward: &[i32], $backward: &[i32] $(, $more: $t)*) -> $out {
            $plain($forward, $backward $(, $more)*)
        }

        #[inline(always)]
        pub(super) fn $plain($forward: &[i32], $backward: &[i32] $(, $more: $t)*) -> $out $body
    };
}

backwards! {
    /// The largest xor of a value and its partner, -1 if there is none.
    largest_xor, largest_xor_avx2, largest_xor_plain,
    |forward, backward| -> i32 {
        forward.iter().zip(backward.iter().rev()).fold(-1, |top, (x, y)| top.max(x ^ y))
    }
}

backwards! {
    /// The largest sum of a value and the bound of its partner, -1 if every bound is that of an empty set.
    largest_sum, largest_sum_avx2, largest_sum_plain,
    |forward, backward| -> i32 {
        let sum = |x: i32, y: i32| if y < 0 { -1 } else { x + y };
        forward.iter().zip(backward.iter().rev()).fold(-1, |top, (x, y)| top.max(sum(*x, *y)))
    }
}

backwards! {
    /// True if v is the xor of a value and its partner.
    has_xor, has_xor_avx2, has_xor_plain,
    |forward, backward, v: i32| -> bool {
        let mut blocks = forward.chunks(CHUNK).zip(backward.rchunks(CHUNK));
        blocks.any(|(f, b)| f.iter().zip(b.iter().rev()).fold(false, |any, (x, y)| any | (x ^ y == v)))
    }
}

backwards! {
    /// True if v xor a value is at most the bound of its partner.
    any_within, any_within_avx2, any_within_plain,
    |forward, backward, v: i32| -> bool {
        forward.iter().zip(backward.iter().rev()).fold(false, |any, (x, y)| any | (x ^ v <= *y))
    }
}
