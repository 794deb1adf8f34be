import { testBench } from './exact-bench.ts'

// Apart from the other benches, since it takes longest.
testBench('injection')
