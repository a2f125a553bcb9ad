;; Take 1 to 3 from a heap, or split it into two equal heaps.
(module
  (memory (export "memory") 1)
  (data (i32.const 0)
    "name halves\nnumbers 1\nsmaller yes\nabout Take 1 to 3, or split into two equal heaps.\00")

  (func (export "grundy_about") (result i32)
    (i32.const 0))

  ;; positions are single numbers, so 8 bytes are room enough
  (func (export "grundy_buffer") (param $words i32) (result i32)
    (i32.const 1024))

  ;; the answer: at 2048 the number of words, from 2056 on the options
  (func (export "grundy_options") (param $position i32) (param $count i32) (result i32)
    (local $n i64)
    (local $k i64)
    (local $out i32)
    (local.set $n (i64.load (local.get $position)))
    (local.set $k (i64.const 1))
    (local.set $out (i32.const 2056))
    (block $all
      (loop $take
        (br_if $all (i64.gt_u (local.get $k) (i64.const 3)))
        (br_if $all (i64.gt_u (local.get $k) (local.get $n)))
        ;; one part of one number: n - k
        (i64.store (local.get $out) (i64.const 1))
        (i64.store offset=8 (local.get $out) (i64.const 1))
        (i64.store offset=16 (local.get $out) (i64.sub (local.get $n) (local.get $k)))
        (local.set $out (i32.add (local.get $out) (i32.const 24)))
        (local.set $k (i64.add (local.get $k) (i64.const 1)))
        (br $take)))
    (if (i32.and
          (i64.ne (local.get $n) (i64.const 0))
          (i64.eqz (i64.and (local.get $n) (i64.const 1))))
      (then
        ;; two parts of one number each: n / 2 and n / 2
        (i64.store (local.get $out) (i64.const 2))
        (i64.store offset=8 (local.get $out) (i64.const 1))
        (i64.store offset=16 (local.get $out) (i64.shr_u (local.get $n) (i64.const 1)))
        (i64.store offset=24 (local.get $out) (i64.const 1))
        (i64.store offset=32 (local.get $out) (i64.shr_u (local.get $n) (i64.const 1)))
        (local.set $out (i32.add (local.get $out) (i32.const 40)))))
    (i64.store (i32.const 2048)
      (i64.extend_i32_u (i32.shr_u (i32.sub (local.get $out) (i32.const 2056)) (i32.const 3))))
    (i32.const 2048)))
