-- kls in Neovim: starting the server, and the commands that no editor has by itself.
--
-- Works with Neovim 0.7 and newer. From 0.11 on, vim.lsp.enable('kls') with lsp/kls.lua starts the server; before,
-- require('kls').setup() does.

local M = {}

-- Options of setup, and the defaults.
local defaults = {
  cmd = { 'kls', 'lsp' },
  filetypes = { 'yaml', 'json' },
  -- What the protocol calls settings; docs/editors.md lists them.
  settings = {},
  -- Called with the client and the buffer once the server looks after it.
  on_attach = nil,
  capabilities = nil,
}

local kustomizations = { 'kustomization.yaml', 'kustomization.yml', 'Kustomization' }
local markers = { '.kls.yaml', '.git' }

local function exists(path)
  return (vim.uv or vim.loop).fs_stat(path) ~= nil
end

-- upward returns the nearest folder, from that of a path on, which has one of the names in it.
local function upward(path, names)
  local dir = vim.fn.fnamemodify(path, ':p:h')
  while true do
    for _, name in ipairs(names) do
      if exists(dir .. '/' .. name) then return dir end
    end
    local parent = vim.fn.fnamemodify(dir, ':h')
    if parent == dir then return nil end
    dir = parent
  end
end

-- running returns the client that looks after a folder, if there is one.
local function running(root)
  local clients = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  for _, client in ipairs(clients) do
    if client.name == 'kls' and (root == nil or client.config.root_dir == root) then return client end
  end
end

-- root_of returns the folder to open for a file: that of the configuration or of the repository, else the working
-- folder where the file is below it, else that of the kustomization. It is nil for a file of a tree without
-- kustomizations, where kls has nothing to say.
function M.root_of(path)
  path = vim.fn.fnamemodify(path, ':p')
  local own = upward(path, kustomizations)
  local root = upward(path, markers)
  local cwd = vim.fn.getcwd()
  if root == nil and vim.startswith(path, cwd .. '/') then root = cwd end
  if own == nil and running(root) == nil then return nil end
  return root or own
end

-- init_options is what the server is told of this client at the start.
function M.init_options(settings)
  -- The command of the code actions that change a rendered value.
  if vim.lsp.commands then
    vim.lsp.commands['kls.change'] = function(command) require('kls.set').change(command.arguments[1]) end
  end
  return { virtualDocuments = true, changes = vim.lsp.commands ~= nil, settings = { kls = settings or {} }, yamlLanguageServer = vim.fn.executable('yaml-language-server') == 1 }
end

-- handlers are for what only this client is sent.
function M.handlers()
  return {
    ['workspace/textDocumentContent/refresh'] = function(_, params)
      require('kls.preview').refresh(params.uri)
      return vim.NIL
    end,
  }
end

-- started has the client of each folder, for Neovim 0.7.
local started = {}

-- start starts a server, or takes the one that runs for the same folder, and attaches the buffer. Neovim 0.7 has no
-- function for that.
function M.start(buffer, config)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  -- A client that is still being greeted is not among the active ones: started ones are remembered here.
  local id = started[config.root_dir]
  if id == nil then
    config.on_exit = function() started[config.root_dir] = nil end
    id = vim.lsp.start_client(config)
    started[config.root_dir] = id
  end
  if id then vim.lsp.buf_attach_client(buffer, id) end
end

-- setup starts the server for the buffers of kustomize trees, those that are open and those that come.
function M.setup(options)
  options = vim.tbl_extend('force', defaults, options or {})
  local attach = function(buffer)
    local path = vim.api.nvim_buf_get_name(buffer)
    if path == '' or path:match('^%a[%w+.-]*:/') then return end
    local root = M.root_of(path)
    if root == nil then return end
    M.start(buffer, {
      name = 'kls',
      cmd = options.cmd,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fn.fnamemodify(root, ':t') } },
      settings = { kls = options.settings },
      init_options = M.init_options(options.settings),
      handlers = M.handlers(),
      capabilities = options.capabilities,
      on_attach = options.on_attach,
    })
  end
  local group = vim.api.nvim_create_augroup('kls', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = options.filetypes,
    callback = function(event) attach(event.buf) end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(options.filetypes, vim.bo[buffer].filetype) then attach(buffer) end
  end
end

-- client returns the server of the buffer, else any, else nil.
function M.client(buffer)
  for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == 'kls' and vim.lsp.buf_is_attached(buffer, client.id) then return client end
  end
  return running(nil)
end

-- request asks the server and calls back with its result. What goes wrong is shown.
function M.request(buffer, method, params, callback)
  local client = M.client(buffer)
  if client == nil then
    vim.notify('kls does not run for this file; :checkhealth kls tells why', vim.log.levels.WARN)
    return
  end
  local answer = function(err, result)
    if err and err.code == -32600 then
      return -- the server is being shut down, and nobody waits for this any more
    elseif err then
      vim.notify('kls: ' .. (err.message or vim.inspect(err)), vim.log.levels.ERROR)
    elseif result == nil or result == vim.NIL then
      vim.notify('kls has nothing to say here', vim.log.levels.INFO)
    else
      callback(result, client)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answer, buffer)
  else
    client.request(method, params, answer, buffer)
  end
end

-- execute runs a command of the server.
function M.execute(buffer, command, argument, callback)
  M.request(buffer, 'workspace/executeCommand', { command = command, arguments = { argument } }, callback)
end

return M
