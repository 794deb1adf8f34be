import { Avatar } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { parseColor, printColor, textColorOn } from '../../../src/core/text/color.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import type { Settings } from '../projects/settings.ts'
import { sendersQuery } from './queries.ts'
import type { WidgetValues } from './values.ts'
import classes from './widget.module.css'

interface Props {
  rules: WidgetValues['proactive_messages']
  locale: string
  project: Settings
  color: string
  side: string
}

/** The messages beside the button, which a visitor sees one at a time. Drawn like web/widget/loader/bubble.ts. */
export function ProactivePreview({ rules, locale, project, color, side }: Props) {
  const { id } = useProject()
  const { data: people = [] } = useQuery(sendersQuery(id))
  const textOf = ({ texts }: Props['rules'][number]) => texts[locale] || Object.values(texts).find(Boolean)
  const written = rules.filter(textOf)
  const background = parseColor(color)
  const style = { background: printColor(background), color: printColor(textColorOn(background)) }
  return (
    <div className={classes.bubbles} data-side={side}>
      {written.length === 0 && <p>{pageText.widget.noProactive}</p>}
      {written.map(rule => {
        const sender = people.find(one => one.id === rule.operator_id)
        const { name, avatar_url } = sender ?? { name: project.name, avatar_url: project.logo_url }
        return (
          <div key={rule.id} className={classes.bubble}>
            <Avatar size={32} src={avatar_url} alt="" styles={{ placeholder: style }}>
              {[...name.trim()][0]?.toUpperCase()}
            </Avatar>
            <div>
              <strong dir="auto">{name}</strong>
              <p className={classes.said} dir="auto">
                {textOf(rule)}
              </p>
            </div>
          </div>
        )
      })}
    </div>
  )
}
