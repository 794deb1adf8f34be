export { type DemoDeps, type DemoResult, fillDemo, fillFirst } from './fill.ts'
export { removeDemo } from './remove.ts'
