import { changeContact, createAnonymous, putContact } from '../contacts/contacts.ts'
import type { NewContact } from '../contacts/schema.ts'
import { newId } from '../core/ids.ts'
import type { OperatorRole } from '../core/roles.ts'
import { UserError } from '../core/user-error.ts'
import { addOperator } from '../operators/operators.ts'
import { setDepartments } from '../operators/people.ts'
import { setPicture } from '../users/users.ts'
import { apiCaller, type DemoState, readScript, recordMade, setClock } from './demo-state.ts'
import { drawPortrait, type Portrait } from './pictures.ts'

interface Colleague {
  key: string
  name: string
  role: OperatorRole
  department: string
  status: string
  emoji?: string
  text?: string
  face: Portrait
}

interface Customer extends NewContact {
  key: string
  note?: string
  timezone?: string
}

interface Script {
  departments: string[]
  operators: Colleague[]
  contacts: Customer[]
}

async function addDepartment(stage: DemoState, name: string): Promise<void> {
  const { tx, project, departments } = stage
  const id = newId()
  const [known] = await tx<{ id: string }[]>`
    select id from departments where project_id = ${project.id} and lower(name) = lower(${name})`
  if (!known) {
    await tx`insert into departments (project_id, id, name) values (${project.id}, ${id}, ${name})`
    recordMade(stage, 'departments', id)
  }
  departments.set(name, known?.id ?? id)
}

async function addColleague(stage: DemoState, { key, name, role, department, face, ...rest }: Colleague) {
  const { tx, project, people, departments } = stage
  const email = `${key}@${project.id.slice(-8)}.example`
  const added = await addOperator(tx, project.id, { name, email, role })
  if (added === 'known') throw new UserError(`The project already has an operator with the address ${email}`)
  if ('seats' in added)
    throw new UserError(`The demo needs five operators, and the plan has room for ${added.seats}`)
  const { status, text = null, emoji = null } = rest
  const userId = newId()
  // They have no password, so nobody can sign in as them.
  await tx`insert into users (id, name, email) values (${userId}, ${name}, ${email})`
  const avatar_url = await setPicture(tx, userId, await drawPortrait(face))
  await tx`
    update operators set user_id = ${userId}, avatar_url = ${avatar_url}, status = ${status}, chosen_status = ${status},
      status_text = ${text}, status_emoji = ${emoji}, last_seen_at = now()
    where project_id = ${project.id} and id = ${added.id}`
  await setDepartments(tx, project.id, added.id, [departments.get(department)!])
  people.set(key, { type: 'operator', id: added.id, name, avatar_url, role })
  recordMade(stage, 'operators', added.id)
  recordMade(stage, 'users', userId)
}

/** The person who views the demo, if an account already exists. */
async function findViewer({ tx, project, people }: DemoState): Promise<void> {
  const [owner] = await tx<{ id: string; name: string; avatar_url: string | null }[]>`
    select id, name, avatar_url from operators
    where project_id = ${project.id} and user_id is not null and removed_at is null
    order by role <> 'owner', created_at limit 1`
  if (owner) people.set('me', { type: 'operator', role: 'owner', ...owner })
}

/** Telegram groups have neither an email address nor a Telegram id. */
async function putCustomer(
  stage: DemoState,
  { key, ...input }: Omit<Customer, 'note' | 'timezone'>,
): Promise<string> {
  if (!input.email && !input.telegram_id)
    return createAnonymous(stage.tx, { full_name: input.full_name }, 'telegram')
  return (await putContact(stage.tx, apiCaller(stage), { ...input, external_id: `demo-${key}` })).id
}

async function addCustomer(stage: DemoState, { note, timezone, ...input }: Customer): Promise<void> {
  const { tx, contacts } = stage
  const { key, full_name, email, telegram_id } = input
  const id = await putCustomer(stage, input)
  if (note || timezone) await changeContact(tx, apiCaller(stage), id, { note, timezone }, null)
  contacts.set(key, {
    id,
    name: full_name!,
    ...(email && { email }),
    ...(telegram_id && { telegram_id: Number(telegram_id) }),
  })
  recordMade(stage, 'contacts', id)
}

export async function createPeople(stage: DemoState): Promise<void> {
  const { departments, operators, contacts } = readScript<Script>('people')
  for (const name of departments) await addDepartment(stage, name)
  await findViewer(stage)
  for (const colleague of operators) await addColleague(stage, colleague)
  if (!stage.people.has('me')) stage.people.set('me', stage.people.get('lena')!)
  for (const [index, customer] of contacts.entries()) {
    setClock(stage, (60 - index) * 1_440)
    await addCustomer(stage, customer)
  }
}
