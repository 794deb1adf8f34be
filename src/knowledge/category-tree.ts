import { newId } from '../core/ids.ts'
import { slugify } from '../core/text/slug.ts'
import { now, toDatabase } from '../core/time.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'

export interface CategoryInput {
  /** From the top category to this one. Each part is a name, or a title in any language. */
  path: string[]
  locale: string
  /** The title in this language. By default, a new category is titled as in the path. */
  title?: string
  description?: string | null
  icon?: string | null
  position?: number
}

const spellings: Record<string, string> = { '+': 'plus', '#': 'sharp' }
const telling = /[+#]|\p{Regional_Indicator}|\p{Emoji_Modifier}|(?![©®™])\p{Extended_Pictographic}/gu

const spell = (sign: string): string => ` ${spellings[sign] ?? sign.codePointAt(0)!.toString(16)} `

/** Keeps symbols that distinguish names: C, C++ and C# are different, and so are emoji. */
const nameOf = (text: string): string =>
  slugify(text.replaceAll('\ufe0f', '').replaceAll(telling, spell)) ||
  slugify(text.replaceAll(/./gsu, spell)) ||
  'category'

async function findChild(tx: Tx, parentId: string | null, name: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select c.id from categories c
    where c.project_id = ${tx.projectId} and c.parent_id is not distinct from ${parentId}::uuid
      and (c.name = ${nameOf(name)} or exists (
        select from category_translations t
        where t.project_id = ${tx.projectId} and t.category_id = c.id and lower(t.title) = lower(${name})))
    order by c.name <> ${nameOf(name)}, c.id limit 1`
  return row?.id ?? null
}

/** A slug that is unique in the project, because another branch of the tree may have a category with the same name. */
async function freeSlug(tx: Tx, name: string): Promise<string> {
  const base = nameOf(name)
  const rows = await tx<{ slug: string }[]>`
    select slug from categories where project_id = ${tx.projectId} and starts_with(slug, ${base})`
  const taken = new Set(rows.map(row => row.slug))
  let slug = base
  for (let count = 2; taken.has(slug); count++) slug = `${base}-${count}`
  return slug
}

export async function insertCategory(tx: Tx, parentId: string | null, name: string, locale: string) {
  const id = newId()
  const at = toDatabase(now())
  const slug = await freeSlug(tx, name)
  await tx`insert into categories (project_id, id, parent_id, name, slug, created_at, updated_at)
    values (${tx.projectId}, ${id}, ${parentId}, ${nameOf(name)}, ${slug}, ${at}, ${at})`
  await tx`insert into category_translations (project_id, category_id, locale, title)
    values (${tx.projectId}, ${id}, ${locale}, ${name})`
  return id
}

/** Prevents concurrent writers from creating the same category twice. */
export const lockTree = (tx: Tx) => tx`select from projects where id = ${tx.projectId} for no key update`

/** The category at the end of a path. Creates it and its parents if they are missing. */
async function reach(tx: Tx, path: string[], locale: string): Promise<string> {
  let id: string | null = null
  for (const name of path) {
    const found: string | null = await findChild(tx, id, name)
    if (!found) await lockTree(tx)
    id = found ?? (await findChild(tx, id, name)) ?? (await insertCategory(tx, id, name, locale))
  }
  return id!
}

export const ensureCategory = (
  store: DbOrTx,
  projectId: string,
  path: string[],
  locale: string,
): Promise<string> => transact(store, projectId, tx => reach(tx, path, locale))

const updateShown = (tx: Tx, id: string, { icon, position }: CategoryInput) => tx`
  update categories set icon = ${icon === undefined ? tx`icon` : icon}, position = ${position ?? tx`position`}
  where project_id = ${tx.projectId} and id = ${id} and (icon, position) is distinct from
    (${icon === undefined ? tx`icon` : tx`${icon}::text`}, ${position === undefined ? tx`position` : tx`${position}::int`})`

const putTranslation = (tx: Tx, id: string, { locale, path, title, description }: CategoryInput) => tx`
  insert into category_translations as t (project_id, category_id, locale, title, description)
  values (${tx.projectId}, ${id}, ${locale}, ${title ?? path.at(-1)!}, ${description ?? null})
  on conflict (project_id, category_id, locale) do update set
    title = ${title === undefined ? tx`t.title` : tx`excluded.title`},
    description = ${description === undefined ? tx`t.description` : tx`excluded.description`}
  where (t.title, t.description) is distinct from (
    ${title === undefined ? tx`t.title` : tx`excluded.title`},
    ${description === undefined ? tx`t.description` : tx`excluded.description`})`

/** Creates or changes a category. Omitted fields do not change. */
export function putCategory(store: DbOrTx, projectId: string, input: CategoryInput): Promise<string> {
  return transact(store, projectId, async tx => {
    const id = await reach(tx, input.path, input.locale)
    const shown = await updateShown(tx, id, input)
    const words = await putTranslation(tx, id, input)
    if (shown.count + words.count > 0) {
      await tx`update categories set updated_at = ${toDatabase(now())} where project_id = ${projectId} and id = ${id}`
    }
    return id
  })
}
