import { Input, SegmentedControl, Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { defaultColor } from '../../../src/core/text/color.ts'
import { useAccent } from '../core/accent.ts'
import { ColorField } from '../core/color-field.tsx'
import { pageText } from '../core/page-text.ts'
import type { WidgetValues } from './values.ts'

export interface Fields {
  form: UseFormReturnType<WidgetValues>
}

export function LookFields({ form }: Fields) {
  return (
    <>
      <Switch
        label={pageText.widget.isOn}
        description={pageText.widget.isOnAbout}
        {...form.getInputProps('is_on', { type: 'checkbox' })}
      />
      <ColorField
        label={pageText.widget.color}
        description={pageText.widget.colorAbout}
        usual={useAccent() ?? defaultColor}
        {...form.getInputProps('color')}
      />
      <Input.Wrapper label={pageText.widget.position} labelElement="div">
        <div>
          <SegmentedControl
            mt={4}
            aria-label={pageText.widget.position}
            data={(['left', 'right'] as const).map(value => ({
              value,
              label: pageText.widget.positions[value],
            }))}
            {...form.getInputProps('position')}
          />
        </div>
      </Input.Wrapper>
    </>
  )
}
