import { resolve } from 'node:path'
import type { Tx } from '../../events/transaction.ts'
import {
  archiveArticle,
  deleteArticle,
  getArticleProject,
  type ImportReport,
  importArticles,
  listWrittenArticles,
  publishArticle,
} from '../../knowledge/knowledge.ts'
import { findProject } from '../../projects/projects.ts'
import { auditCommand, changeAudited } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { UsageError } from '../parse.ts'
import { type CliSession, withDatabase } from '../session.ts'
import { drawRecords } from '../table.ts'

const statuses = ['draft', 'published'] as const

function readStatus(word: string | undefined) {
  const status = statuses.find(one => one === word)
  if (word === undefined || status) return status
  throw new UsageError(`--status must be draft or published, not "${word}"`)
}

async function importFrom({ db }: CliSession, { PATH: path, project, status }: Record<string, string>) {
  const { id } = await findProject(db, project!)
  const report = await importArticles(db, id, resolve(path!), readStatus(status))
  const detail = { ...report, failed: report.failed.length, warnings: report.warnings.length }
  await auditCommand(db, id, { action: 'knowledge.imported', target: { type: 'knowledge' }, detail })
  return report
}

const printReport = ({ failed, warnings, ...counts }: ImportReport): string =>
  [
    ...failed.map(({ file, line, error }) => `${file}${line === null ? '' : `:${line}`}: ${error}`),
    ...warnings.map(({ file, line, warning }) => `${file}:${line}: warning: ${warning}`),
    `${counts.imported} imported, ${counts.updated} updated, ${counts.unchanged} unchanged, ${failed.length} failed; warnings: ${warnings.length}`,
  ].join('\n')

/** Prints what is wrong with a file and exits with status 1. */
const importing: Command = {
  name: 'article import',
  about: 'Imports a Markdown file, a folder or a .zip into the knowledge base; see docs/knowledge-base.md',
  arguments: ['PATH'],
  required: ['project'],
  optional: ['status'],
  choices: { status: statuses },
  run: async values => {
    const result = await withDatabase(session => importFrom(session, values))
    return { result, status: result.failed.length ? 1 : 0 }
  },
  print: printReport,
}

const changing = (
  word: string,
  about: string,
  status: 'published' | 'archived' | 'deleted',
  act: (tx: Tx, id: string) => Promise<void>,
): Command =>
  command(
    { name: `article ${word}`, about, arguments: ['ID'] },
    async ({ db }, { ID: id = '' }) => {
      await changeAudited(
        db,
        await getArticleProject(db, id),
        tx => act(tx, id),
        () => ({
          action: `article.${status}`,
          target: { type: 'article', id },
        }),
      )
      return { id, status }
    },
    ({ id }) => `Article ${id} is ${status}`,
  )

export const articleCommands: Command[] = [
  importing,
  command(
    {
      name: 'article list',
      about: 'Lists the articles of a project, including drafts',
      required: ['project'],
    },
    async ({ db }, { project }) => {
      const { id } = await findProject(db, project!)
      return { items: [...(await listWrittenArticles(db, id))] }
    },
    ({ items }) => drawRecords(items, 'No articles. Import some with deskbell article import'),
  ),
  changing('publish', 'Publishes the current drafts of an article', 'published', publishArticle),
  changing('archive', 'Hides an article from the public', 'archived', archiveArticle),
  changing('delete', 'Deletes an article in all languages', 'deleted', deleteArticle),
]
