declare module 'subset-font' {
  interface How {
    targetFormat: 'sfnt' | 'woff' | 'woff2'
    variationAxes: Record<string, number>
  }
  export default function subsetFont(font: Buffer, text: string, how: How): Promise<Buffer>
}

declare module 'bidi-js' {
  interface Levels {
    levels: Uint8Array
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): Levels
    getReorderedIndices(text: string, levels: Levels): number[]
    getMirroredCharacter(char: string): string | null
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>
  }
  export default function bidiFactory(): Bidi
}
