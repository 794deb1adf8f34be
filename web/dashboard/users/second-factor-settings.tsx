import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { HoldingDialog } from '../core/holding-dialog.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { AskPassword } from './ask-password.tsx'
import { auth, takeAuth } from './auth.ts'
import { meQuery, useMe } from './me.ts'
import { recoveryCodesQuery } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpSecondFactor } from './set-up-second-factor.tsx'

type Open = 'on' | 'off' | 'codes' | null

/**
 * Sets up and turns off two-factor authentication, and creates new recovery codes. Each asks for the password
 * first.
 */
export function SecondFactorSettings() {
  const { user } = useMe()
  const [open, setOpen] = useState<Open>(null)
  const client = useQueryClient()
  const close = () => {
    setOpen(null)
    void client.invalidateQueries({ queryKey: meQuery.queryKey })
    void client.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey })
  }
  const isOn = user.has_second_factor
  const { data: codes } = useQuery({ ...recoveryCodesQuery, enabled: isOn })
  const state = (
    <Badge variant="light" color={isOn ? 'green' : 'gray'}>
      {isOn ? pageText.account.factorOn : pageText.account.factorOff}
    </Badge>
  )
  return (
    <Section title={pageText.account.factor} about={pageText.account.factorAbout} actions={state}>
      {isOn && codes && (
        <Text mb="md" c={codes.left < 3 ? 'var(--mantine-color-error)' : undefined}>
          {pageText.account.recoveryLeft(codes.left)}
        </Text>
      )}
      <Group>
        {!isOn && <Button onClick={() => setOpen('on')}>{pageText.account.turnOn}</Button>}
        {isOn && (
          <Button variant="default" onClick={() => setOpen('codes')}>
            {pageText.account.recoveryNew}
          </Button>
        )}
        {isOn && (
          <Button variant="subtle" color="red" onClick={() => setOpen('off')}>
            {pageText.account.turnOff}
          </Button>
        )}
      </Group>
      <HoldingDialog opened={open === 'on'} onClose={close} title={pageText.account.factor}>
        <SetUpSecondFactor onDone={close} />
      </HoldingDialog>
      <HoldingDialog opened={open === 'codes'} onClose={close} title={pageText.account.recoveryNew}>
        <NewCodes onDone={close} />
      </HoldingDialog>
      <HoldingDialog opened={open === 'off'} onClose={close} title={pageText.account.turnOffTitle}>
        <TurnOff onDone={close} />
      </HoldingDialog>
    </Section>
  )
}

function TurnOff({ onDone }: { onDone(): void }) {
  return (
    <AskPassword
      about={pageText.account.turnOffAbout}
      action={pageText.account.turnOff}
      send={password => takeAuth(() => auth.twoFactor.disable({ password: password! }))}
      onDone={onDone}
    />
  )
}

function NewCodes({ onDone }: { onDone(): void }) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <AskPassword
      about={pageText.account.recoveryNewAbout}
      action={pageText.account.recoveryNew}
      send={password => takeAuth(() => auth.twoFactor.generateBackupCodes({ password: password! }))}
      onDone={answer => setCodes(answer.backupCodes)}
    />
  )
}
