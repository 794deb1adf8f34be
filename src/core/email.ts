const email = /^[^\s@"(),:;<>[\\\]]+@[^\s@.,"(),:;<>[\\\]]+(\.[^\s@.,"(),:;<>[\\\]]+)+$/

export const isEmail = (text: string): boolean => text.length <= 254 && email.test(text)
