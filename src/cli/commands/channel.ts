import {
  createChannel,
  deleteChannel,
  listChannels,
  pauseChannel,
  resumeChannel,
} from '../../channels/custom/custom-channels.ts'
import { channelColorPattern, channelNamePattern } from '../../channels/custom/patterns.ts'
import type { CustomChannel } from '../../channels/custom/schema.ts'
import { UserError } from '../../core/user-error.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import {
  type AccountNoun,
  accountCallerOf,
  accountCommand,
  deleteAccountCommand,
  listCommand,
} from './account-commands.ts'
import { asUserErrors } from './user-errors.ts'

const readMatching = (option: string, value: string, pattern: RegExp, words: string): string => {
  if (!pattern.test(value)) throw new UserError(`--${option} must be ${words}`)
  return value
}

const noun: AccountNoun = { command: 'channel', noun: 'Channel', table: 'custom_channels' }

const summaryOf = ({ id, name, title, state, waiting, waiting_since, last_request_at }: CustomChannel) => ({
  ...{ id, name, title, state, waiting, waiting_since, last_request_at },
})

export const channelCommands: Command[] = [
  command(
    {
      name: 'channel create',
      about: 'Creates a custom channel, through which your own program connects a messenger',
      required: ['project', 'name', 'title'],
      optional: ['color'],
      notes: {
        name: 'the name in the API, such as signal; tickets then have the channel custom:signal. It cannot be changed',
        title: 'the name that people see, such as Signal',
        color: 'such as #2f5bea',
      },
    },
    async ({ db }, { project = '', name = '', title = '', color }) => {
      await findProject(db, project)
      const input = {
        name: readMatching(
          'name',
          name,
          channelNamePattern,
          'up to 32 lower-case letters, digits, - and _, such as signal',
        ),
        title: readMatching('title', title, /^.{1,64}$/, 'up to 64 characters'),
        ...(color && {
          color: readMatching('color', color, channelColorPattern, 'a color such as #2f5bea'),
        }),
      }
      return summaryOf(await asUserErrors(() => createChannel(db, accountCallerOf(project), input)))
    },
    ({ id, title }) => `Channel ${title} is created. Its id is ${id}`,
  ),
  listCommand(
    noun,
    "Lists a project's custom channels, with the number of messages that wait for their programs",
    async ({ db }, project) => (await listChannels(db, project)).map(summaryOf),
    'No channels; create one with bin/deskbell channel create',
  ),
  accountCommand(
    noun,
    'pause',
    'Pauses a custom channel. Its program cannot post messages, and replies wait',
    async ({ db }, caller, id) => summaryOf(await pauseChannel(db, caller, id)),
    ({ title }) => `Channel ${title} is paused`,
  ),
  accountCommand(
    noun,
    'resume',
    'Resumes a paused custom channel',
    async ({ db }, caller, id) => summaryOf(await resumeChannel(db, caller, id)),
    ({ title }) => `Channel ${title} is active again`,
  ),
  deleteAccountCommand(
    noun,
    'Deletes a custom channel. Its tickets are kept, and messages that are waiting for its program fail',
    ({ db }, caller, id) => deleteChannel(db, caller, id),
  ),
]
