/**
 * Languages that Tesseract can recognise once their data are downloaded; English comes with Refile. The data are those of
 * the npm packages `@tesseract.js-data/…` (https://github.com/naptha/tessdata); of their variants the integer model
 * `4.0.0_best_int` is used, as for English.
 */
import { languageName } from '../../shared/messages/language-name.ts'
import type { Pack } from './model.ts'
import { keepFile, npmPackage, unzipped } from './npm-package.ts'

/** @param integrity the package's SHA-512 in Base64, as published by the registry */
const language = (id: string, tag: string, bytes: number, integrity: string): Pack => ({
  id,
  tag,
  name: languageName(tag),
  licence: 'Apache-2.0',
  file: `tessdata/${id}.traineddata`,
  ...npmPackage('@tesseract.js-data', id, '1.0.0', bytes, integrity),
  unpack: (downloaded, path) =>
    keepFile(downloaded, `4.0.0_best_int/${id}.traineddata.gz`, path, content => unzipped(content)),
})

// biome-ignore format: a table
export const ocrLanguages: readonly Pack[] = [
  language('ara', 'ar', 3_333_623, 'bB60Av6dsv9LRUrlaM6SgnAwjUpdbanw9Jf3mbhDCZAhX7Cp8u7YjI8EWfCvMhH3R2QJT/2EA8cijqPANOhwaA=='),
  language('ces', 'cs', 9_329_679, 'mXnVy8WoG/ImbrpN5oggaBBMSrHQH+hKbgkbPQeVY6MChIDDZT1H+e2I4eiAvl+fypfIbiqpIcodGex03PXvfw=='),
  language('chi_sim', 'zh-Hans', 21_809_859, 'iuErURkPbECDUazgsLn/r3c+tU2y5o5S/w14d0A/YiagfsjYyZKgTo75RUpsGJ311qtu0dIX4hqnXAAjmqf2CA=='),
  language('chi_tra', 'zh-Hant', 28_664_956, 'uz0gqF7ncrJS4UTHGCkPntZXpoyo+mIg0Zs8QhF0TH3uzj2HkJpYmi8u1Pdwt2NW65UWJ51hzILWWy838da5dw=='),
  language('dan', 'da', 6_580_275, 'nlR/VS/YKJs8u0SSa3C+wUTIopPIKwVG016T4/Lk2BsUOME3EkXgHWyGbzfobd5+6dwA+FYaUB17GVgIo7Zphg=='),
  language('deu', 'de', 8_411_089, '3ter1p2gFAiCd5CMC+PodZ9YY2UDomkKj+ytlKeeZqOUmhLx1SDnYPf5zog0g5MBbxYveW+8omI3PUflqHfZ4Q=='),
  language('ell', 'el', 4_744_428, 'cCdWHcxHupC9YltWAoscqnw1QAIo4ENgaXNNVXfN+FBvSncnx3lgnNcyRdCvGSi31buwr7vPY156WHu2Yubg4A=='),
  language('fin', 'fi', 12_821_769, 'JLD9iF4Q3gqspuB5dphSZw7HT+EGZ6pKqoTUfDrUU9kYxGa2xkISa/3X/JpFZ6Lw8Lh6Ved0uVxUZhMuzoK9Dw=='),
  language('fra', 'fr', 6_959_264, 'pp58gMaoyidoBBLd5y5rnf0WW0Y1994QrGqZrYatITqIU/AReUJMykD+YY3JDgvnmgz7uAx1UmhjjuyEmV8JEA=='),
  language('heb', 'he', 2_748_563, 't70MeqlBqOsf+pINWgG32gaVsXG2LUiOFMMzeJLl+bDEjRK9nXUqF/xzl37xP2IdwZcOsd6BnQRbZDN/8AAWlA=='),
  language('hin', 'hi', 2_792_751, 'MB6WY6g4SAtrs+Xuyz5JDDsLFCykCwIESV7M9KkyxF71bxBqhLa8e7GJi5yGa/Wl6V4nuC7LWX/EMdSyTINTvg=='),
  language('hun', 'hu', 10_550_248, 'HoMZ/9ULBzp6WBFLz8H3dBfeO9OK5E5kUL17oQp9wRbslXqpYdxeXMX2WLHrdZzeuGCGu+CByoMWKkDbX+BvqQ=='),
  language('ind', 'id', 5_024_024, 'bykwjIpoIR9jqHm+juv2FSMR8Xg3gNnAqYzu6nI01wMiTTMamyZE6r27Kvp39Mi34j9XHsvNAuKdZKzqV+YcgA=='),
  language('ita', 'it', 8_567_364, 'Sx19NVYve5VAxEBDL6CWTX+evlvzV+iAS5ejJywcHVsmir/C9Tzw2fExoh97QFc06t48tYZA8VrMobsBzMAEhA=='),
  language('jpn', 'ja', 18_107_568, 'nUq2xHUjiWE6FRqkvLIIbByLZ39B8qNaBSOnVP4XIKGPKtZ1e0hiRnK7WhPfl8A+Fe7aNE1u/QoXXUym3TbSCA=='),
  language('kor', 'ko', 8_507_588, 'tepYhsYiRJ8E44R27MHxVteEDDLfYQxuvM6u4JlEHcCYqwpefvI5TGzoMgB67kunOvtyEJYtT5zfJ/6R6FVU9w=='),
  language('nld', 'nl', 13_178_605, 'Fq9TDxewYAw3YBLqLYEu3rziNUHq0F1NnnM49vI0E5o6S2oKcirhTumGvv8ws088+li1llyKXT9nfrHuxxetHQ=='),
  language('nor', 'no', 8_274_620, 'UYIAl2T2g9Nha+uKQie4uE4zGN1a/sbs4sddsH3Ao54BguKyGbSBz4pBG/+zZY2Lnre3/z/z3d9RiVL6DVKvPw=='),
  language('pol', 'pl', 10_977_737, 'e9naSi/5kIXIMsymriFMUXJ2XWxRY/09qU9pkmEN28nAeMyF70EYkn4G3iHoB2oF/HNhZpy8lCIe1/I2L/BqKA=='),
  language('por', 'pt', 8_124_452, 'sQ7GqYUgKaMmV0vNujYoXLlXUp2e5RGGkJxQ3L59kUOaupIugLJeb1dqhrfgyb71XQw7ltdSuXdQIoaoS/rpsQ=='),
  language('ron', 'ro', 6_524_807, 'UdjCzTs3prY8J5CrCV3tPteGx8aE3TNMypYCtAy5vv4Yc4NlwYQaoDHY87Mo8ORcbAFec6ipRjN63usyuQIH6g=='),
  language('spa', 'es', 10_436_372, '9Ln+QKq/TNu4Hy4aOp5b4nXo9U0C6IqJMzNDpAJZe/fNtz6jXG9G/hQgR/Irxj+RGf0M7Xy1MNx1yl4wQUIfeg=='),
  language('swe', 'sv', 8_821_162, '9BRWhTs8THTaBtFNvaTSZbL8gb14CH86TsdNjpDVBgm4kOS5RW8V6xfM91SEho4rlxyzAJPA909GRD1xsJbyJg=='),
  language('tha', 'th', 1_802_388, '0OzEL5P9b0PLukjrUbQUJFWC41V6Ti/Cxgm7pFJ6btk3IPS3EZc2PPjji7eFzbc/Zf7LDKxkzvlW1nd0NmrEug=='),
  language('tur', 'tr', 10_170_951, '510AUJda8BsgrTchfIIH1uV1wfYp28+PLy74sxSQiHM0sLv9kjbNyooxUCo/R4TOjLQY0fXQ2QWwozWlSlXrkw=='),
  language('ukr', 'uk', 7_287_250, 'W/i5g9xbyBHJxklEb0mU2iLENBzU9CgXk1LVg82aQ95IaRwNFjY1z5y0vMcydEHQLx/TeawGrHiqlWoyXWCDzA=='),
  language('vie', 'vi', 5_251_465, 'hFxBtxSiCw6+64uxf0psrlLvcYA5kQimYhTSx1RwjbD5jSxe1bWg3EmipAozkzELQIFAMkJC5vu+ONGRem7YLA=='),
]
