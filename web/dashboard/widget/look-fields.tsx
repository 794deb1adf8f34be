import { Input, SegmentedControl, Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { defaultColor } from '../../../src/core/color.ts'
import { useAccent } from '../core/accent.ts'
import { ColorField } from '../core/color-field.tsx'
import { text } from '../core/text.ts'
import type { WidgetValues } from './values.ts'

export interface Fields {
  form: UseFormReturnType<WidgetValues>
}

export function LookFields({ form }: Fields) {
  return (
    <>
      <Switch
        label={text.widget.isOn}
        description={text.widget.isOnAbout}
        {...form.getInputProps('is_on', { type: 'checkbox' })}
      />
      <ColorField
        label={text.widget.color}
        description={text.widget.colorAbout}
        usual={useAccent() ?? defaultColor}
        {...form.getInputProps('color')}
      />
      <Input.Wrapper label={text.widget.position} labelElement="div">
        <div>
          <SegmentedControl
            mt={4}
            aria-label={text.widget.position}
            data={(['left', 'right'] as const).map(value => ({ value, label: text.widget.positions[value] }))}
            {...form.getInputProps('position')}
          />
        </div>
      </Input.Wrapper>
    </>
  )
}
