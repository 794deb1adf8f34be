import { ColorInput, type ColorInputProps, ColorSwatch } from '@mantine/core'

/** Suggested colours. */
const swatches = ['#1a73e8', '#0f766e', '#15803d', '#b45309', '#be123c', '#7c3aed', '#475569']

interface Props extends ColorInputProps {
  /** The colour that applies if none is chosen. */
  usual?: string
}

/** A colour that is typed or chosen from the suggestions. */
export const ColorField = ({ usual, ...props }: Props) => (
  <ColorInput
    withEyeDropper={false}
    withPicker={false}
    withPreview={Boolean(props.value) || !usual}
    leftSection={usual && <ColorSwatch size={18} color={usual} />}
    placeholder={usual}
    swatches={swatches}
    maw={420}
    dir="ltr"
    {...props}
  />
)
