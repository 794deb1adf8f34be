import type { Command } from './command.ts'
import { articleCommands } from './commands/article.ts'
import { backupCommands } from './commands/backup.ts'
import { billingCommands } from './commands/billing.ts'
import { bucketCommands } from './commands/bucket.ts'
import { buildCommands } from './commands/build.ts'
import { channelCommands } from './commands/channel.ts'
import { demoCommands } from './commands/demo.ts'
import { helpCentreCommands } from './commands/help-centre.ts'
import { importCommands } from './commands/import.ts'
import { installationCommands } from './commands/installation.ts'
import { keyCommands } from './commands/key.ts'
import { mailCommands } from './commands/mail.ts'
import { mailboxCommands } from './commands/mailbox.ts'
import { moneyCommands } from './commands/money.ts'
import { operatorCommands } from './commands/people.ts'
import { planCommands } from './commands/plan.ts'
import { projectCommands } from './commands/project.ts'
import { telegramCommands } from './commands/telegram.ts'

/** Every command, in the order of the help. */
export const commands: Command[] = [
  ...projectCommands,
  ...bucketCommands,
  ...helpCentreCommands,
  ...planCommands,
  ...billingCommands,
  ...moneyCommands,
  ...keyCommands,
  ...operatorCommands,
  ...mailboxCommands,
  ...mailCommands,
  ...telegramCommands,
  ...channelCommands,
  ...importCommands,
  ...articleCommands,
  ...demoCommands,
  ...backupCommands,
  ...buildCommands,
  ...installationCommands,
]
