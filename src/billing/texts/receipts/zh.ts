import type { ReceiptTexts } from './shape.ts'

export const zhReceipts: ReceiptTexts = {
  receipt: '收据',
  invoice: '发票',
  refund: '退款',
  issued: '开具日期',
  to: '致',
  taxNumber: '税号',
  what: '项目',
  topUp: '余额充值',
  plan: '套餐',
  paidBack: '已退款',
  reference: '编号',
  date: '日期',
  paid: '付款方式',
  fromBalance: '余额',
  net: '不含税金额',
  total: '合计',
}
