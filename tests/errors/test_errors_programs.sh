# Bad programs of scenarios: a message with its place, exit code 2, and nothing left behind. label: full
. "$MESHSIM_SOURCE_DIR/tests/support/bad_scenario.sh"

scenario n150 <<'END'
workload: [{enqueue_workload: {cores: 0}}]
END
refused "zero cores" "bad.yaml:4:39: error: cores: 0: a program runs on 1 or more cores
workload: [{enqueue_workload: {cores: 0}}]
                                      ^"

scenario n150 <<'END'
workload: [{enqueue_workload: {cores: 65}}]
END
refused "more cores than there are" "bad.yaml:4:39: error: program 'program': 65 cores, but the grid has 8 x 8
workload: [{enqueue_workload: {cores: 65}}]
                                      ^"

scenario n150 <<'END'
workload: [{enqueue_workload: {kernel_bytes: 1600000}}]
END
refused "kernel larger than L1" "bad.yaml:4:46: error: program 'program': a kernel of 1600000 B, but a kernel has 1 to 1048576 B
workload: [{enqueue_workload: {kernel_bytes: 1600000}}]
                                             ^"

scenario n150 <<'END'
workload: [{enqueue_workload: {kernel_bytes: 20000, processors: all}}]
END
refused "kernels larger than the config ring" "bad.yaml:4:46: error: program 'program': 0 B of configuration and 80128 B of kernels on a core, but the config ring has 70656 B
workload: [{enqueue_workload: {kernel_bytes: 20000, processors: all}}]
                                             ^"

scenario t3k <<'END'
workload:
  - enqueue_workload:
      programs:
        - {program: left, devices: {shape: [2, 2]}}
        - {program: right, devices: {shape: [1, 3], offset: [1, 1]}}
END
refused "two programs on one device" "bad.yaml:8:37: error: program 'right': programs left and right of a workload share a device
        - {program: right, devices: {shape: [1, 3], offset: [1, 1]}}
                                    ^"

scenario n300 <<'END'
workload: [{enqueue_workload: {programs: [{program: one}, {program: two}]}}]
END
refused "two programs on all devices" "bad.yaml:4:59: error: program 'two': programs one and two of a workload share a device
workload: [{enqueue_workload: {programs: [{program: one}, {program: two}]}}]
                                                          ^"

scenario n300 <<'END'
workload:
  - enqueue_workload: {programs: [{devices: {shape: [1, 1]}}, {devices: {shape: [1, 2], offset: [0, 1]}}]}
END
refused "a program of several outside the mesh" "bad.yaml:5:73: error: program 'program': devices 0,1 to 0,2 reach outside the mesh of 1 x 2
  - enqueue_workload: {programs: [{devices: {shape: [1, 1]}}, {devices: {shape: [1, 2], offset: [0, 1]}}]}
                                                                        ^"

scenario n300 <<'END'
workload:
  - enqueue_workload: {run_ns: 2us, programs: [{devices: {shape: [1, 1]}}]}
END
refused "a program beside those of the list" "bad.yaml:5:32: error: run_ns beside \`programs\`, each of which has keys of its own
  - enqueue_workload: {run_ns: 2us, programs: [{devices: {shape: [1, 1]}}]}
                               ^"

scenario n300 <<'END'
workload: [{enqueue_workload: {processors: ethernet, ethernet_cores: 15}}]
END
refused "more Ethernet cores than there are" "bad.yaml:4:70: error: program 'program': 15 Ethernet cores, but links and dispatch leave 14
workload: [{enqueue_workload: {processors: ethernet, ethernet_cores: 15}}]
                                                                     ^"

scenario n300 <<'END'
workload: [{enqueue_workload: {ethernet_cores: 2}}]
END
refused "Ethernet cores without a kernel" "bad.yaml:4:48: error: ethernet_cores: \`processors\` does not name ethernet
workload: [{enqueue_workload: {ethernet_cores: 2}}]
                                               ^"

scenario galaxy <<'END'
workload: [{enqueue_workload: {processors: [brisc, ethernet]}}]
END
refused "no idle Ethernet core" "bad.yaml:4:44: error: program 'program': links and dispatch leave no Ethernet core
workload: [{enqueue_workload: {processors: [brisc, ethernet]}}]
                                           ^"

scenario n150 <<'END'
workload:
- enqueue_workload: {runtime_args: 200, common_runtime_args: 141}
- enqueue_workload: {runtime_args: 200, common_runtime_args: 142}
- enqueue_workload: {programs: [{cores: 2, common_runtime_args: 341, runtime_args: 1}]}
END
refused "more arguments than a kernel has room for" "bad.yaml:6:36: error: program 'program': a kernel with 200 unique and 142 common arguments, at most 341 together
- enqueue_workload: {runtime_args: 200, common_runtime_args: 142}
                                   ^
bad.yaml:7:84: error: program 'program': a kernel with 1 unique and 341 common arguments, at most 341 together
- enqueue_workload: {programs: [{cores: 2, common_runtime_args: 341, runtime_args: 1}]}
                                                                                   ^"

scenario n150 <<'END'
workload:
- enqueue_workload: {cores: 65, devices: {shape: [1, 2]}}
- enqueue_workload: {cores: 3, runtime_args: 300, common_runtime_args: 42, kernel_bytes: 100000, kernel_groups: 4, circular_buffer_groups: 5, circular_buffers: 1, devices: {shape: [1, 2]}}
END
refused "several errors of a program" "bad.yaml:5:29: error: program 'program': 65 cores, but the grid has 8 x 8
- enqueue_workload: {cores: 65, devices: {shape: [1, 2]}}
                            ^
bad.yaml:5:42: error: program 'program': devices 0,0 to 0,1 reach outside the mesh of 1 x 1
- enqueue_workload: {cores: 65, devices: {shape: [1, 2]}}
                                         ^
bad.yaml:6:46: error: program 'program': a kernel with 300 unique and 42 common arguments, at most 341 together
- enqueue_workload: {cores: 3, runtime_args: 300, common_runtime_args: 42, kernel_bytes: 100000, kernel_groups: 4, circular_buffer_groups: 5, circular_buffers: 1, devices: {shape: [1, 2]}}
                                             ^
bad.yaml:6:90: error: program 'program': 0 B of configuration and 100032 B of kernels on a core, but the config ring has 70656 B
- enqueue_workload: {cores: 3, runtime_args: 300, common_runtime_args: 42, kernel_bytes: 100000, kernel_groups: 4, circular_buffer_groups: 5, circular_buffers: 1, devices: {shape: [1, 2]}}
                                                                                         ^
bad.yaml:6:113: error: program 'program': 4 groups of cores, but the cores span 3 columns
...rkload: {cores: 3, runtime_args: 300, common_runtime_args: 42, kernel_bytes: 100000, kernel_groups: 4, circular_buffer_groups: 5, circular_buffers: 1,...
                                                                                                       ^
bad.yaml:6:140: error: program 'program': 5 groups of cores, but the cores span 3 columns
...args: 300, common_runtime_args: 42, kernel_bytes: 100000, kernel_groups: 4, circular_buffer_groups: 5, circular_buffers: 1, devices: {shape: [1, 2]}}
                                                                                                       ^
bad.yaml:6:173: error: program 'program': devices 0,0 to 0,1 reach outside the mesh of 1 x 1
...2, kernel_bytes: 100000, kernel_groups: 4, circular_buffer_groups: 5, circular_buffers: 1, devices: {shape: [1, 2]}}
                                                                                                       ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: from, bytes: 6144}
- write_buffer: {buffer: to, bytes: 8192}
- enqueue_workload: {library: add, element: bf16, buffers: {left: from, right: from, to: to}}
- enqueue_workload:
    kernels:
      - {text: end, core: [8, 0]}
      - {text: end, core: [1, 1]}
      - {text: end}
- enqueue_workload:
    cores: 2
    kernels: [{text: end, core: [2, 0]}]
END
refused "programs that act, each with errors" "bad.yaml:7:90: error: program 'program': buffer 'to' has 4 pages of 2048 B, not 3 tiles of bf16 of 2048 B
- enqueue_workload: {library: add, element: bf16, buffers: {left: from, right: from, to: to}}
                                                                                         ^
bad.yaml:10:27: error: program 'program': cores from 8,0 to 8,0 reach outside the grid of 8 x 8
      - {text: end, core: [8, 0]}
                          ^
bad.yaml:12:9: error: program 'program': kernels 0 and 1 share a processor of a core
      - {text: end}
        ^
bad.yaml:15:33: error: program 'program': core [2, 0] is not among its cores (\`cores\`)
    kernels: [{text: end, core: [2, 0]}]
                                ^"

scenario n150 <<'END'
workload:
- enqueue_workload: {program: wide, circular_buffers: 2, circular_buffer_bytes: 16384}
- write_buffer: {buffer: low, bytes: 85MiB, memory: l1}
END
refused "circular buffers that reach into a buffer of a later step" "bad.yaml:5:3: error: program 'wide': the circular buffers of program wide end at 136704 of L1, where a buffer begins at 106496
- enqueue_workload: {program: wide, circular_buffers: 2, circular_buffer_bytes: 16384}
  ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: a, bytes: 12288, page_bytes: 2048}
- write_buffer: {buffer: b, bytes: 12288, page_bytes: 2048}
- write_buffer: {buffer: wide, bytes: 819200, page_bytes: 2048}
- write_buffer: {buffer: to, bytes: 819200, page_bytes: 2048}
- enqueue_workload: {library: gelu, element: u8, buffers: {from: a, to: to}}
- enqueue_workload: {library: gelu, element: bf16, buffers: {from: a, to: to}}
- enqueue_workload: {library: rotary, element: bf16, tiles: [2, 3], buffers: {from: a, cosines: b, sines: b, to: to}}
- enqueue_workload: {library: attention, element: bf16, tiles: [2, 2, 3], buffers: {queries: a, keys: b, values: b, to: to}}
- enqueue_workload: {library: layer_norm, element: bf16, tiles: [2, 3], buffers: {from: a, weight: b, bias: b, to: to}}
- enqueue_workload: {library: softmax, element: bf16, tiles: [1, 400], buffers: {from: wide, to: to}}
- enqueue_workload: {library: matmul_batches, element: bf16, tiles: [2, 2, 2], buffers: {left: a, right: b, to: to}}
END
refused "programs of models on buffers that they cannot take" "bad.yaml:9:46: error: program 'program': arithmetic on u8: f32, bf16, bfp_bf8 and bfp_bf4 have it
- enqueue_workload: {library: gelu, element: u8, buffers: {from: a, to: to}}
                                             ^
bad.yaml:10:75: error: program 'program': buffer 'to' has 400 pages of 2048 B, not 6 tiles of bf16 of 2048 B
- enqueue_workload: {library: gelu, element: bf16, buffers: {from: a, to: to}}
                                                                          ^
bad.yaml:11:61: error: program 'program': a rotary embedding turns two halves of each row, but rows are 3 tiles wide
- enqueue_workload: {library: rotary, element: bf16, tiles: [2, 3], buffers: {from: a, cosines: b, sines: b, to: to}}
                                                            ^
bad.yaml:12:64: error: program 'program': a buffer of 6 tiles has no whole number of heads of 4 tiles
- enqueue_workload: {library: attention, element: bf16, tiles: [2, 2, 3], buffers: {queries: a, keys: b, values: b, to: to}}
                                                               ^
bad.yaml:13:65: error: program 'program': buffer 'weight' has 6 pages of 2048 B, not 3 tiles of bf16 of 2048 B
- enqueue_workload: {library: layer_norm, element: bf16, tiles: [2, 3], buffers: {from: a, weight: b, bias: b, to: to}}
                                                                ^
bad.yaml:14:62: error: program 'program': circular buffer 0 of program program: 1638400 B wanted, 1395200 B of L1 are left
- enqueue_workload: {library: softmax, element: bf16, tiles: [1, 400], buffers: {from: wide, to: to}}
                                                             ^
bad.yaml:15:69: error: program 'program': a buffer of 6 tiles has no whole number of matrices of 4 tiles
- enqueue_workload: {library: matmul_batches, element: bf16, tiles: [2, 2, 2], buffers: {left: a, right: b, to: to}}
                                                                    ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: a, bytes: 12288, page_bytes: 2048}
- write_buffer: {buffer: b, bytes: 12288, page_bytes: 2048}
- write_buffer: {buffer: to, bytes: 24576, page_bytes: 2048}
- enqueue_workload: {library: slice, element: bf16, tiles: [2, 3], slice: [1, 0, 2, 3], buffers: {from: a, to: to}}
- enqueue_workload: {library: slice, element: bf16, tiles: [2, 3], slice: [1, 0, 0, 3], buffers: {from: a, to: to}}
- enqueue_workload: {library: attention_causal, element: bf16, tiles: [3, 2, 2], buffers: {queries: a, keys: b, values: b, to: to}}
- enqueue_workload: {library: concat_rows, element: bf16, tiles: [2, 3, 1], buffers: {left: a, right: b, to: to}}
END
refused "slices, concatenations and masks that do not fit" "bad.yaml:8:75: error: program 'program': a slice of 2 x 3 tiles from row 1, column 0 is not in 2 x 3
- enqueue_workload: {library: slice, element: bf16, tiles: [2, 3], slice: [1, 0, 2, 3], buffers: {from: a, to: to}}
                                                                          ^
bad.yaml:9:75: error: program 'program': a slice of 0 x 3 tiles from row 1, column 0 is not in 2 x 3
- enqueue_workload: {library: slice, element: bf16, tiles: [2, 3], slice: [1, 0, 0, 3], buffers: {from: a, to: to}}
                                                                          ^
bad.yaml:10:71: error: program 'program': a causal mask of 3 tiles of queries over 2 of keys: the first have none
- enqueue_workload: {library: attention_causal, element: bf16, tiles: [3, 2, 2], buffers: {queries: a, keys: b, values: b, to: to}}
                                                                      ^
bad.yaml:11:66: error: program 'program': buffer 'right' has 6 pages of 2048 B, not 3 tiles of bf16 of 2048 B
- enqueue_workload: {library: concat_rows, element: bf16, tiles: [2, 3, 1], buffers: {left: a, right: b, to: to}}
                                                                 ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: a, bytes: 12288, page_bytes: 2048}
- write_buffer: {buffer: to, bytes: 24576, page_bytes: 2048}
- enqueue_workload: {library: slice, element: bf16, tiles: [2, 3], buffers: {from: a, to: to}}
- enqueue_workload: {library: gelu, element: bf16, slice: [1, 0, 2, 3], buffers: {from: a, to: to}}
END
refused "slices that are missing, or too many" "bad.yaml:7:31: error: library: slice takes slice: [first row, first column, rows, columns]
- enqueue_workload: {library: slice, element: bf16, tiles: [2, 3], buffers: {from: a, to: to}}
                              ^
bad.yaml:8:59: error: slice of program 'program', which takes none
- enqueue_workload: {library: gelu, element: bf16, slice: [1, 0, 2, 3], buffers: {from: a, to: to}}
                                                          ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: image, bytes: 8192, page_bytes: 128}
- write_buffer: {buffer: odd, bytes: 6400, page_bytes: 100}
- write_buffer: {buffer: weights, bytes: 36864, page_bytes: 2048}
- write_buffer: {buffer: bias, bytes: 2048, page_bytes: 2048}
- write_buffer: {buffer: to, bytes: 4096, page_bytes: 2048}
- enqueue_workload: {library: conv2d, element: bf16, buffers: {from: image, weight: weights, bias: bias, to: to}}
END
refused "a convolution of no image" "bad.yaml:10:31: error: library: conv2d takes image: {size: [height, width], kernel: [height, width]}
- enqueue_workload: {library: conv2d, element: bf16, buffers: {from: image, weight: weights, bias: bias, to: to}}
                              ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: image, bytes: 8192, page_bytes: 128}
- write_buffer: {buffer: odd, bytes: 6400, page_bytes: 100}
- write_buffer: {buffer: weights, bytes: 36864, page_bytes: 2048}
- write_buffer: {buffer: bias, bytes: 2048, page_bytes: 2048}
- write_buffer: {buffer: to, bytes: 4096, page_bytes: 2048}
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [9, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 9], kernel: [3, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [3, 3], padding: [1, 1]}, buffers: {from: odd, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [4, 3], padding: [1, 1]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, element: bfp_bf8, image: {size: [8, 8], kernel: [3, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [3, 3], padding: [3, 1]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [3, 3], groups: 3}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [2, 2], groups: 4}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- write_buffer: {buffer: pixels, shape: [8, 8, 64], element: bf16, tiled: false}
- enqueue_workload: {library: conv2d, image: {kernel: [3, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
- enqueue_workload: {library: conv2d, image: {size: [4, 16], kernel: [3, 3]}, buffers: {from: pixels, weight: weights, bias: bias, to: to}}
END
refused "images that a convolution cannot take" "bad.yaml:10:61: error: program 'program': a kernel of 9 with stride 1, padding 0 and dilation 1 does not fit on 8 pixels of an image's height
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [9, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                                            ^
bad.yaml:11:61: error: program 'program': a buffer of 64 pixels has no whole number of images of 8 x 9
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 9], kernel: [3, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                                            ^
bad.yaml:12:126: error: program 'program': a pixel of 100 B does not fill its place of 128 B with elements of bf16
...ary: conv2d, element: bf16, image: {size: [8, 8], kernel: [3, 3], padding: [1, 1]}, buffers: {from: odd, weight: weights, bias: bias, to: to}}
                                                                                                       ^
bad.yaml:13:141: error: program 'program': weights of 18 tiles are no whole number of columns of 24 tiles, which the 768 values under a kernel are
...ement: bf16, image: {size: [8, 8], kernel: [4, 3], padding: [1, 1]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                                                                                       ^
bad.yaml:14:48: error: program 'program': rows of bfp_bf8: f32 and bf16 can be in rows
- enqueue_workload: {library: conv2d, element: bfp_bf8, image: {size: [8, 8], kernel: [3, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                               ^
bad.yaml:15:61: error: program 'program': a kernel of 3 with stride 1, padding 3 and dilation 1 does not fit on 8 pixels of an image's height
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [3, 3], padding: [3, 1]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                                            ^
bad.yaml:16:61: error: program 'program': 3 groups of a pixel of 128 B: each has a multiple of 32 B; join smaller ones, with zeros between them in the weights
- enqueue_workload: {library: conv2d, element: bf16, image: {size: [8, 8], kernel: [3, 3], groups: 3}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                                            ^
bad.yaml:17:135: error: program 'program': weights of 9 columns of tiles are no whole number for each of 4 groups
...2d, element: bf16, image: {size: [8, 8], kernel: [2, 2], groups: 4}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                                                                                       ^
bad.yaml:19:46: error: image: missing key 'size', since no tensor of images says it
- enqueue_workload: {library: conv2d, image: {kernel: [3, 3]}, buffers: {from: image, weight: weights, bias: bias, to: to}}
                                             ^
bad.yaml:20:46: error: image: 4 x 16 pixels, but tensor 'pixels' has images of 8 x 8
- enqueue_workload: {library: conv2d, image: {size: [4, 16], kernel: [3, 3]}, buffers: {from: pixels, weight: weights, bias: bias, to: to}}
                                             ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: a, shape: [40, 64]}
- write_buffer: {buffer: b, shape: [64, 64], bytes: 4096}
- write_buffer: {buffer: c, shape: [64, 64], element: bf16, page_bytes: 4096}
- write_buffer: {buffer: d, shape: [64, 64], element: bfp_bf8, tiled: false}
- write_buffer: {buffer: e, shape: [64, 64], element: bf16, values: f32}
- write_buffer: {buffer: f, bytes: 4096, element: bf16}
- write_buffer: {buffer: h, shape: [8, 1000000], tiled: false}
END
refused "shapes that tensors cannot have" "bad.yaml:5:36: error: tensor 'a' has matrices of 40 x 64 elements, which are no whole tiles of 32x32 (one row alone may be), and programs would compute on what fills them up
- write_buffer: {buffer: a, shape: [40, 64]}
                                   ^
bad.yaml:6:53: error: bytes of tensor 'b', which has 16384 by its shape
- write_buffer: {buffer: b, shape: [64, 64], bytes: 4096}
                                                    ^
bad.yaml:7:73: error: page_bytes of tensor 'c', whose pages have 2048 by its shape
- write_buffer: {buffer: c, shape: [64, 64], element: bf16, page_bytes: 4096}
                                                                        ^
bad.yaml:8:36: error: tensor 'd' is not in tiles, but elements of bfp_bf8 are only in tiles
- write_buffer: {buffer: d, shape: [64, 64], element: bfp_bf8, tiled: false}
                                   ^
bad.yaml:9:69: error: values of another type than tensor 'e' has: bf16
- write_buffer: {buffer: e, shape: [64, 64], element: bf16, values: f32}
                                                                    ^
bad.yaml:10:51: error: element of buffer 'f', which has no shape
- write_buffer: {buffer: f, bytes: 4096, element: bf16}
                                                  ^
bad.yaml:11:36: error: rows of tensor 'h' have 4000000 B, but a page has at most 1048576
- write_buffer: {buffer: h, shape: [8, 1000000], tiled: false}
                                   ^"

scenario n150 <<'END'
workload:
- write_buffer: {buffer: x, shape: [4, 64, 128], element: bf16}
- write_buffer: {buffer: w, shape: [160, 256], element: bf16}
- write_buffer: {buffer: weight, shape: [128, 256], element: bf16}
- write_buffer: {buffer: wide, shape: [128, 256]}
- write_buffer: {buffer: bias, shape: [256], element: bf16}
- write_buffer: {buffer: rows, shape: [64, 256], element: bf16, tiled: false}
- write_buffer: {buffer: y, shape: [4, 64, 256], element: bf16}
- write_buffer: {buffer: q, shape: [2, 64, 128], element: bf16}
- enqueue_workload: {library: linear, buffers: {from: x, weight: w, bias: bias, to: y}}
- enqueue_workload: {library: linear, buffers: {from: x, weight: wide, bias: bias, to: y}}
- enqueue_workload: {library: linear, tiles: [8, 8, 5], buffers: {from: x, weight: weight, bias: bias, to: y}}
- enqueue_workload: {library: linear, element: bfp_bf8, buffers: {from: x, weight: weight, bias: bias, to: y}}
- enqueue_workload: {library: softmax, buffers: {from: rows, to: y}}
- enqueue_workload: {library: attention, buffers: {queries: x, keys: q, values: q, to: x}}
- enqueue_workload: {library: concat_rows, buffers: {left: x, right: q, to: y}}
- enqueue_workload: {library: linear, buffers: {from: x, weight: weigt, bias: bias, to: y}}
- enqueue_workload: {library: linear, buffers: {form: x, weight: weight, bias: bias, to: y}}
END
refused "tensors that a program cannot take" "bad.yaml:13:66: error: 'weight' of library: linear: the inner extent in tiles of tensor 'w' is 5, but must be 4, that of 'x'
- enqueue_workload: {library: linear, buffers: {from: x, weight: w, bias: bias, to: y}}
                                                                 ^
bad.yaml:14:66: error: tensor 'wide' is of f32, but tensor 'x' of the same program of bf16
- enqueue_workload: {library: linear, buffers: {from: x, weight: wide, bias: bias, to: y}}
                                                                 ^
bad.yaml:15:46: error: tiles: 5, but the tensors have 4 (inner extent)
- enqueue_workload: {library: linear, tiles: [8, 8, 5], buffers: {from: x, weight: weight, bias: bias, to: y}}
                                             ^
bad.yaml:16:48: error: element: bfp_bf8, but tensor 'x' is of bf16
- enqueue_workload: {library: linear, element: bfp_bf8, buffers: {from: x, weight: weight, bias: bias, to: y}}
                                               ^
bad.yaml:17:56: error: 'from' of library: softmax takes tiles, but tensor 'rows' is in rows (tiled: false)
- enqueue_workload: {library: softmax, buffers: {from: rows, to: y}}
                                                       ^
bad.yaml:18:70: error: 'keys' of library: attention: the number of matrices of tensor 'q' is 2, but must be 4, that of 'x'
- enqueue_workload: {library: attention, buffers: {queries: x, keys: q, values: q, to: x}}
                                                                     ^
bad.yaml:18:81: error: 'values' of library: attention: the number of matrices of tensor 'q' is 2, but must be 4, that of 'x'
- enqueue_workload: {library: attention, buffers: {queries: x, keys: q, values: q, to: x}}
                                                                                ^
bad.yaml:18:88: error: buffer 'x' is written as 'to', and cannot be 'queries' at once
- enqueue_workload: {library: attention, buffers: {queries: x, keys: q, values: q, to: x}}
                                                                                       ^
bad.yaml:19:77: error: 'to' of library: concat_rows: the height in tiles of tensor 'y' is 8, but must be 12
- enqueue_workload: {library: concat_rows, buffers: {left: x, right: q, to: y}}
                                                                            ^
bad.yaml:19:77: error: 'to' of library: concat_rows: the width in tiles of tensor 'y' is 8, but must be 4, that of 'x'
- enqueue_workload: {library: concat_rows, buffers: {left: x, right: q, to: y}}
                                                                            ^
bad.yaml:20:66: error: no step before this one writes buffer 'weigt', did you mean 'weight'?
- enqueue_workload: {library: linear, buffers: {from: x, weight: weigt, bias: bias, to: y}}
                                                                 ^
bad.yaml:21:31: error: library: linear takes a buffer 'from' (rows x inner tiles, row by row): name it under \`buffers\`
- enqueue_workload: {library: linear, buffers: {form: x, weight: weight, bias: bias, to: y}}
                              ^
bad.yaml:21:55: error: program 'linear' of the library has no buffer 'form', did you mean 'from'?
- enqueue_workload: {library: linear, buffers: {form: x, weight: weight, bias: bias, to: y}}
                                                      ^"

scenario n150 <<'END'
workload:
- enqueue_workload: {identity: a, processors: [brisc, ncrisc], processor_bytes: {trisc0: 64}}
- enqueue_workload: {identity: a, cores: 2, run_ns: 9}
- think: {}
- enqueue_workload: {processor_bytes: {brics: 64}}
END
refused "an unknown processor" "bad.yaml:8:40: error: unknown processor 'brics', did you mean 'brisc'?
- enqueue_workload: {processor_bytes: {brics: 64}}
                                       ^"

scenario n150 <<'END'
workload:
- enqueue_workload: {identity: a, processors: [brisc, ncrisc], processor_bytes: {trisc0: 64}}
- enqueue_workload: {identity: a, cores: 2, run_ns: 9}
- think: {}
- enqueue_workload: {pages: 2, imbalance: 0.5}
END
refused "keys of a workload that is made already" "bad.yaml:5:81: error: processor_bytes: \`processors\` does not name trisc0
- enqueue_workload: {identity: a, processors: [brisc, ncrisc], processor_bytes: {trisc0: 64}}
                                                                                ^
bad.yaml:6:35: error: cores of identity 'a', whose workload the step at bad.yaml:5 makes: only run_ns and imbalance may differ
- enqueue_workload: {identity: a, cores: 2, run_ns: 9}
                                  ^
bad.yaml:7:3: error: think: either for_ns or until_ns, above 0
- think: {}
  ^
bad.yaml:8:43: error: imbalance of a pipeline: its cores end together (pages: 1)
- enqueue_workload: {pages: 2, imbalance: 0.5}
                                          ^"

finish
