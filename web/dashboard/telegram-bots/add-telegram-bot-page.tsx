import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Step } from '../core/step.tsx'
import { useProject } from '../projects/project.ts'
import { NewBotStep } from './new-bot-step.tsx'
import { type FoundBot, TokenStep } from './token-step.tsx'

/** Adds a bot: its token, and what is found with it. */
export default function AddTelegramBotPage() {
  const [found, setFound] = useState<FoundBot | null>(null)
  const { add, back: backLabel, step } = pageText.telegramBots
  const current = found ? 2 : 1
  const back = `/p/${useProject().id}/settings/telegram-bots`
  return (
    <Page
      title={add}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{backLabel}</Anchor>}
    >
      <Section title={step(current)}>
        <Step number={current} name={step(current)}>
          {found ? (
            <NewBotStep found={found} onBack={() => setFound(null)} />
          ) : (
            <TokenStep onDone={setFound} />
          )}
        </Step>
      </Section>
    </Page>
  )
}
