import { setMaintenance } from '../../projects/installation.ts'
import { type Command, command } from '../command.ts'
import { examine, printChecks } from '../doctor.ts'
import { readSwitch } from '../parse.ts'

export const installationCommands: Command[] = [
  command(
    {
      name: 'maintenance',
      about: 'Answers every API request with 503 (on), or normally again (off)',
      places: ['on|off'],
    },
    ({ db }, values) => {
      const on = readSwitch('deskbell maintenance', values['on|off']!, ['on', 'off'])
      return setMaintenance(db, on).then(() => ({ maintenance: on }))
    },
    ({ maintenance }) => `Maintenance is ${maintenance ? 'on: every API request is answered 503' : 'off'}`,
  ),
  {
    name: 'doctor',
    about: 'Says what is wrong with this installation, and how to mend it',
    run: examine,
    print: printChecks,
  },
]
