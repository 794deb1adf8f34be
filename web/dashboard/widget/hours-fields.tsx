import { PlusIcon, XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Group, Input, Switch, Text, TextInput } from '@mantine/core'
import { useHashFocus } from '../core/hash.ts'
import { pageText } from '../core/page-text.ts'
import { TimezoneField } from '../core/timezone-field.tsx'
import { weekdays } from './days.ts'
import type { Fields } from './look-fields.tsx'
import { PartTitle } from './part-title.tsx'
import type { OpeningHours } from './queries.ts'
import { asSaved } from './values.ts'
import classes from './widget.module.css'

export function HoursFields({ form }: Fields) {
  const { is_on, timezone } = form.getValues().hours
  return (
    <>
      <PartTitle>{pageText.widget.hours}</PartTitle>
      <Switch
        label={pageText.widget.hasHours}
        description={pageText.widget.hasHoursAbout}
        ref={useHashFocus('hours')}
        {...form.getInputProps('hours.is_on', { type: 'checkbox' })}
      />
      {form.errors.hours && <Input.Error role="alert">{form.errors.hours}</Input.Error>}
      {is_on && (
        <>
          <TimezoneField
            label={pageText.widget.timezone}
            current={timezone}
            {...form.getInputProps('hours.timezone')}
          />
          <Week form={form} />
        </>
      )}
    </>
  )
}

const byTime = (one: OpeningHours, other: OpeningHours): number =>
  one.day - other.day || (one.from < other.from ? -1 : Number(one.from > other.from))

function Week({ form }: Fields) {
  const { days } = form.getValues().hours
  const set = (next: OpeningHours[]) => form.setFieldValue('hours.days', next)
  return (
    <div className={classes.week}>
      {weekdays().map((name, index) => {
        const day = index + 1
        const own = days.filter(span => span.day === day)
        return (
          <div key={day} className={classes.day}>
            <Text className={classes.dayName}>{name}</Text>
            <div className={classes.spans}>
              {own.length === 0 && <Text c="dimmed">{pageText.widget.closed}</Text>}
              {own.map((span, n) => (
                <SpanFields
                  key={n}
                  name={name}
                  span={span}
                  onChange={next => set(days.map(one => (one === span ? next : one)))}
                  onRemove={() => set(days.filter(one => one !== span))}
                />
              ))}
            </div>
            <ActionIcon
              aria-label={pageText.widget.addHours(name)}
              onClick={() => set([...days, nextSpan(day, own)].toSorted(byTime))}
            >
              <PlusIcon width={18} aria-hidden />
            </ActionIcon>
          </div>
        )
      })}
      {form.errors['hours.days'] && <Input.Error role="alert">{form.errors['hours.days']}</Input.Error>}
    </div>
  )
}

const nextSpan = (day: number, own: OpeningHours[]): OpeningHours =>
  own.length ? { day, from: own.at(-1)!.to, to: '00:00' } : { day, from: '09:00', to: '17:00' }

interface SpanProps {
  name: string
  span: OpeningHours
  onChange(span: OpeningHours): void
  onRemove(): void
}

function SpanFields({ name, span, onChange, onRemove }: SpanProps) {
  const propsOf = (end: 'from' | 'to') => ({
    type: 'time',
    value: span[end],
    'aria-label': pageText.widget[end](name),
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...span, [end]: event.currentTarget.value }),
  })
  return (
    <Group gap={6} wrap="nowrap">
      <TextInput {...propsOf('from')} />
      <span aria-hidden>{pageText.widget.until}</span>
      <TextInput {...propsOf('to')} />
      {asSaved(span).to < span.from && <Text size="sm">{pageText.widget.nextDay}</Text>}
      <ActionIcon aria-label={pageText.widget.removeHours(name)} onClick={onRemove}>
        <XMarkIcon width={18} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
