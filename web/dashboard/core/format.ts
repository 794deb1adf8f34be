/**
 * Formats dates and numbers in the language of the page. Creating a formatter takes as long as using it a
 * thousand times.
 */

/**
 * The reader's regional variant of the page's language: Britain uses the 24-hour clock, the USA the 12-hour
 * clock.
 */
function language(): string | undefined {
  const { lang } = document.documentElement
  return navigator.languages.find(tag => tag.split('-')[0] === lang) ?? (lang || undefined)
}

function keep<Shape, Made>(
  make: (language: string | undefined, shape: Shape) => Made,
): (shape: Shape) => Made {
  const made = new Map<string, Made>()
  return shape => {
    const key = `${language()} ${JSON.stringify(shape)}`
    const known = made.get(key) ?? make(language(), shape)
    made.set(key, known)
    return known
  }
}

export const dates = keep<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (...given) => new Intl.DateTimeFormat(...given),
)

const numbers = keep<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (...given) => new Intl.NumberFormat(...given),
)

export const distances = keep<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  (...given) => new Intl.RelativeTimeFormat(...given),
)

export const printNumber = (value: number, shape: Intl.NumberFormatOptions = {}): string =>
  numbers(shape).format(value)
