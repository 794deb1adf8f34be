import type { AuditAction } from '../../audit/audit.ts'
import { loadSecretKey, verifySecretKey } from '../../core/config/secret-key.ts'
import { createVault } from '../../core/crypto.ts'
import { auditCommand } from '../audited.ts'
import { type Command, command } from '../command.ts'

export const demoCommands: Command[] = [
  command(
    {
      name: 'demo',
      about:
        'Fills a project that has no tickets and no active webhooks with an example shop: tickets, people, articles. --remove deletes it all',
      required: ['project'],
      flags: ['remove'],
    },
    async ({ config, db }, { project = '', remove }) => {
      // Loaded on demand, because drawing the pictures needs a library that no other command uses.
      const { fillDemo, removeDemo } = await import('../../demo/demo.ts')
      const noteDemo = (id: string, action: AuditAction, tickets: number) =>
        auditCommand(db, id, { action, target: { type: 'project', id }, detail: { tickets } })
      if (remove) {
        const removed = await removeDemo(db, project)
        await noteDemo(project, 'project.demo_removed', removed.tickets)
        return { ...removed, is_removed: true }
      }
      const key = loadSecretKey(config)
      await verifySecretKey(db, key)
      const filled = await fillDemo({ config, db, vault: createVault(key) }, project)
      await noteDemo(filled.id, 'project.demo_filled', filled.tickets)
      return { ...filled, is_removed: false }
    },
    ({ tickets, is_removed }) =>
      is_removed ? `Demo data removed: ${tickets} tickets` : `Demo data added: ${tickets} tickets`,
  ),
]
