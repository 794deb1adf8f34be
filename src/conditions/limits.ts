export const conditionLimits = { levels: 4, leaves: 50, values: 50, textLength: 200, characters: 8_192 }
