;; Matrix multiplication for the sentiment model, four 32-bit floats at a time.
;;
;;   C[i][j] = A[i] · W[j] + b[j]      A: m × k, W: n × k, b: n, C: m × n, all row by row
;;
;; The parameters $a $w $b $c are byte offsets in the memory. A tile of 4 rows of A by 2 rows of W is computed together, so
;; that each loaded vector is used several times. Therefore m must be a multiple of 4, n of 2 and k of 4, and k is not 0.
;;
;; The rows of W are the outer loop: W is megabytes of weights and A a few kilobytes of text, so W should be read from
;; memory once while A stays in the cache.
(module
  (memory (export "mem") 1 4096)
  (func (export "gemm")
    (param $a i32) (param $w i32) (param $b i32) (param $c i32) (param $m i32) (param $n i32) (param $k i32)
    ;; $i row of A, $j row of W, $p byte within both; $kb and $nb the bytes of a row of A and of C
    (local $i i32) (local $j i32) (local $p i32) (local $kb i32)
    ;; where the rows of the tile start, and where its first result goes
    (local $a0 i32) (local $a1 i32) (local $a2 i32) (local $a3 i32) (local $w0 i32) (local $w1 i32)
    (local $cp i32) (local $nb i32)
    ;; $sIJ: running sums of row I of A with row J of W
    (local $s00 v128) (local $s01 v128) (local $s10 v128) (local $s11 v128)
    (local $s20 v128) (local $s21 v128) (local $s30 v128) (local $s31 v128)
    (local $x v128) (local $y v128) (local $t v128)
    (local.set $kb (i32.shl (local.get $k) (i32.const 2)))
    (local.set $nb (i32.shl (local.get $n) (i32.const 2)))
    (local.set $w0 (local.get $w))
    (block $doneJ (loop $J
      (br_if $doneJ (i32.ge_s (local.get $j) (local.get $n)))
      (local.set $w1 (i32.add (local.get $w0) (local.get $kb)))
      (local.set $i (i32.const 0))
      (local.set $a0 (local.get $a))
      (local.set $cp (i32.add (local.get $c) (i32.shl (local.get $j) (i32.const 2))))
      (block $doneI (loop $I
        (br_if $doneI (i32.ge_s (local.get $i) (local.get $m)))
        (local.set $a1 (i32.add (local.get $a0) (local.get $kb)))
        (local.set $a2 (i32.add (local.get $a1) (local.get $kb)))
        (local.set $a3 (i32.add (local.get $a2) (local.get $kb)))
        (local.set $s00 (v128.const f32x4 0 0 0 0)) (local.set $s01 (v128.const f32x4 0 0 0 0))
        (local.set $s10 (v128.const f32x4 0 0 0 0)) (local.set $s11 (v128.const f32x4 0 0 0 0))
        (local.set $s20 (v128.const f32x4 0 0 0 0)) (local.set $s21 (v128.const f32x4 0 0 0 0))
        (local.set $s30 (v128.const f32x4 0 0 0 0)) (local.set $s31 (v128.const f32x4 0 0 0 0))
        (local.set $p (i32.const 0))
        (loop $P
          (local.set $x (v128.load (i32.add (local.get $w0) (local.get $p))))
          (local.set $y (v128.load (i32.add (local.get $w1) (local.get $p))))
          (local.set $t (v128.load (i32.add (local.get $a0) (local.get $p))))
          (local.set $s00 (f32x4.add (local.get $s00) (f32x4.mul (local.get $t) (local.get $x))))
          (local.set $s01 (f32x4.add (local.get $s01) (f32x4.mul (local.get $t) (local.get $y))))
          (local.set $t (v128.load (i32.add (local.get $a1) (local.get $p))))
          (local.set $s10 (f32x4.add (local.get $s10) (f32x4.mul (local.get $t) (local.get $x))))
          (local.set $s11 (f32x4.add (local.get $s11) (f32x4.mul (local.get $t) (local.get $y))))
          (local.set $t (v128.load (i32.add (local.get $a2) (local.get $p))))
          (local.set $s20 (f32x4.add (local.get $s20) (f32x4.mul (local.get $t) (local.get $x))))
          (local.set $s21 (f32x4.add (local.get $s21) (f32x4.mul (local.get $t) (local.get $y))))
          (local.set $t (v128.load (i32.add (local.get $a3) (local.get $p))))
          (local.set $s30 (f32x4.add (local.get $s30) (f32x4.mul (local.get $t) (local.get $x))))
          (local.set $s31 (f32x4.add (local.get $s31) (f32x4.mul (local.get $t) (local.get $y))))
          (local.set $p (i32.add (local.get $p) (i32.const 16)))
          (br_if $P (i32.lt_u (local.get $p) (local.get $kb))))
        ;; the tile is done: four rows of C, two results each
        (f32.store (local.get $cp) (f32.add (call $h (local.get $s00)) (f32.load (local.get $b))))
        (f32.store offset=4 (local.get $cp) (f32.add (call $h (local.get $s01)) (f32.load offset=4 (local.get $b))))
        (local.set $p (i32.add (local.get $cp) (local.get $nb)))
        (f32.store (local.get $p) (f32.add (call $h (local.get $s10)) (f32.load (local.get $b))))
        (f32.store offset=4 (local.get $p) (f32.add (call $h (local.get $s11)) (f32.load offset=4 (local.get $b))))
        (local.set $p (i32.add (local.get $p) (local.get $nb)))
        (f32.store (local.get $p) (f32.add (call $h (local.get $s20)) (f32.load (local.get $b))))
        (f32.store offset=4 (local.get $p) (f32.add (call $h (local.get $s21)) (f32.load offset=4 (local.get $b))))
        (local.set $p (i32.add (local.get $p) (local.get $nb)))
        (f32.store (local.get $p) (f32.add (call $h (local.get $s30)) (f32.load (local.get $b))))
        (f32.store offset=4 (local.get $p) (f32.add (call $h (local.get $s31)) (f32.load offset=4 (local.get $b))))
        (local.set $a0 (i32.add (local.get $a3) (local.get $kb)))
        (local.set $cp (i32.add (local.get $p) (local.get $nb)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $I)))
      (local.set $b (i32.add (local.get $b) (i32.const 8)))
      (local.set $w0 (i32.add (local.get $w1) (local.get $kb)))
      (local.set $j (i32.add (local.get $j) (i32.const 2)))
      (br $J))))
  ;; sum of the four lanes
  (func $h (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))
)
