import { median, round } from '../figures.ts'
import { addProject, addProjects, measure, redirect, type Stage, settle } from './measure.ts'

const rounds = 5

interface Turn {
  alone: number
  beside: number
  ratio: number
  /** Deliveries to the good targets that arrived twice, or not at all. */
  repeated: number
  missing: number
}

/** Measures the good targets without and with half of the traffic going to a target that never responds. */
async function compare(stage: Stage, good: string[], seconds: number): Promise<Turn> {
  const other = await addProject(stage, ['other'])
  const projects = good.flatMap(project => [project, other])
  const alone = await measure(stage, projects, 200, seconds)
  await redirect(stage, other, 'hang')
  const beside = await measure(stage, projects, 200, seconds)
  await settle(stage, other)
  return {
    alone: alone.p99_ms,
    beside: beside.p99_ms,
    ratio: round(beside.p99_ms / alone.p99_ms),
    repeated: alone.repeated + beside.repeated,
    missing: beside.sent - 2 * beside.arrived,
  }
}

/** Alternates between short rounds, so that other programs affect both cases, and uses the median. */
export async function hang(stage: Stage, seconds: number, tenants: number) {
  const good = await addProjects(stage, tenants, at => [`ok-${at}`])
  const turns: Turn[] = []
  for (let turn = 0; turn < rounds; turn++)
    turns.push(await compare(stage, good, Math.max(3, seconds / rounds)))
  return {
    turns,
    ratio: median(turns.map(({ ratio }) => ratio)),
    beside: median(turns.map(({ beside }) => beside)),
    repeated: turns.reduce((sum, turn) => sum + turn.repeated, 0),
    missing: turns.reduce((sum, turn) => sum + turn.missing, 0),
  }
}
